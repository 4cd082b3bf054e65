import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { isPostgresUnavailable } from '#platform/postgres/postgres-unavailable.ts';

/**
 * The outcome of publishing something about a run. `unavailable`: NATS or the database does not answer, so that trying the
 * next run would be in vain too. `refused`: the fault is in this run, and other runs can be published.
 */
export type Publication = 'published' | 'unavailable' | 'refused';

const NATS_UNAVAILABLE = [
  errors.TimeoutError,
  errors.ConnectionError,
  errors.ClosedConnectionError,
  errors.DrainingConnectionError,
];
/** JetStream's status when a server cannot store at the moment. */
const CANNOT_STORE = 503;

/** Whether later attempts would fail for the same reason. */
export function publicationAfter(error: unknown): Exclude<Publication, 'published'> {
  if (NATS_UNAVAILABLE.some((kind) => error instanceof kind)) return 'unavailable';
  if (error instanceof JetStreamApiError && error.status === CANNOT_STORE) return 'unavailable';
  if (isUnanswered(error)) return 'unavailable';
  return isPostgresUnavailable(error) ? 'unavailable' : 'refused';
}

/** Whether no server handles the stream. In a cluster this happens while the stream has no leader. */
function isUnanswered(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof errors.RequestError && cause.isNoResponders();
}
