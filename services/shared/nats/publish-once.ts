import { JetStreamApiError } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import type { Nats } from './connection.ts';

/** JetStream's code for a subject that has already been published on. */
const WRONG_LAST_SEQUENCE = 10_071;
const MESSAGE_ID = 'Nats-Msg-Id';

interface OnlyMessage {
  stream: string;
  subject: string;
  message: Uint8Array;
  /** Who publishes: attempts of the same publisher count as one. */
  publisher: string;
  timeoutMs: number;
  headers?: MsgHdrs;
}

/**
 * Publishes the only message of a subject. Returns whether the stream's message is this publisher's. JetStream checks the
 * expected sequence before the message id, so it refuses a repetition after a lost acknowledgement like a message of somebody
 * else; the stored message tells who published it.
 */
export async function publishOnce(
  { js, jsm }: Pick<Nats, 'js' | 'jsm'>,
  { stream, subject, message, publisher, timeoutMs, headers }: OnlyMessage,
): Promise<boolean> {
  const msgID = `${subject}.${publisher}`;
  try {
    await js.publish(subject, message, {
      msgID,
      expect: { lastSubjectSequence: 0 },
      timeout: timeoutMs,
      ...(headers && { headers }),
    });
    return true;
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE)) throw error;
    const stored = await jsm.streams.getMessage(stream, { last_by_subj: subject });
    return stored?.header.get(MESSAGE_ID) === msgID;
  }
}
