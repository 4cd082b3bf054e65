import type { MsgHdrs } from '@nats-io/transport-node';
import type { Nats } from './connection.ts';
import { isAlreadyPublished, publishExpecting } from './publish-expecting.ts';

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
 * @throws the refusal when no message is stored any more
 */
export async function publishOnce(
  { js, jsm }: Pick<Nats, 'js' | 'jsm'>,
  { stream, subject, message, publisher, timeoutMs, headers }: OnlyMessage,
): Promise<boolean> {
  const msgID = `${subject}.${publisher}`;
  try {
    await publishExpecting(js, subject, message, {
      msgID,
      expect: { lastSubjectSequence: 0 },
      timeout: timeoutMs,
      ...(headers && { headers }),
    });
    return true;
  } catch (error) {
    if (!isAlreadyPublished(error)) throw error;
    const stored = await jsm.streams.getMessage(stream, { last_by_subj: subject });
    // The message that was in the way is gone. Nobody knows whose it was, and this one is not stored: the caller tries again.
    if (!stored) throw error;
    return stored.header.get(MESSAGE_ID) === msgID;
  }
}
