import { JetStreamApiError } from '@nats-io/jetstream';

/** JetStream's code for a subject that has already been published on. */
const WRONG_LAST_SEQUENCE = 10_071;

/** Whether the stream refused a message because it already has one with the same subject. */
export function isAlreadyPublished(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE;
}
