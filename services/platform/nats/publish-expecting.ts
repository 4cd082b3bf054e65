import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamPublishOptions,
  type PubAck,
} from '@nats-io/jetstream';
import type { Payload } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';

/** The replicas of a stream take some milliseconds to agree on a message. */
const ON_ITS_WAY_PAUSE_MS = 10;

/**
 * Publishes a message if the last one of its subject has the sequence that is expected. While a stream with replicas still stores
 * another message of the subject, it refuses without knowing whether that one will be the last: this asks again until it knows.
 * @throws the refusal, for which `isAlreadyPublished` is true if another message was faster
 */
export async function publishExpecting(
  js: JetStreamClient,
  subject: string,
  message: Payload,
  options: Partial<JetStreamPublishOptions> & {
    expect: { lastSubjectSequence: number };
    timeout: number;
  },
): Promise<PubAck> {
  const giveUpAtMs = performance.now() + options.timeout;
  for (;;) {
    try {
      return await js.publish(subject, message, options);
    } catch (error) {
      const isOnItsWay = hasCode(error, JetStreamApiCodes.StreamWrongLastSequenceUnknown);
      if (!isOnItsWay || performance.now() > giveUpAtMs) throw error;
      await sleep(ON_ITS_WAY_PAUSE_MS);
    }
  }
}

/** Whether the stream refused a message because it already has one with the same subject. */
export function isAlreadyPublished(error: unknown): boolean {
  return hasCode(error, JetStreamApiCodes.StreamWrongLastSequence);
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
