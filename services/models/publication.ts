import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { isPostgresAway } from '#shared/postgres/postgres-away.ts';

/**
 * How an attempt to publish something of a run ended. `away`: NATS or the database does not answer, so that the next
 * run would only wait in vain too. `refused`: it is the run's own fault, and other runs can be published.
 */
export type Publication = 'published' | 'away' | 'refused';

const NATS_AWAY = [
  errors.TimeoutError,
  errors.ConnectionError,
  errors.ClosedConnectionError,
  errors.DrainingConnectionError,
];
/** JetStream's status for a server that cannot store at the moment. */
const CANNOT_STORE = 503;

/** What a failure says about the attempts that come after it. */
export function publicationAfter(error: unknown): Exclude<Publication, 'published'> {
  if (NATS_AWAY.some((kind) => error instanceof kind)) return 'away';
  if (error instanceof JetStreamApiError && error.status === CANNOT_STORE) return 'away';
  if (isUnanswered(error)) return 'away';
  return isPostgresAway(error) ? 'away' : 'refused';
}

/** Whether nobody serves the stream: in a cluster, one that has no leader at the moment. */
function isUnanswered(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof errors.RequestError && cause.isNoResponders();
}
