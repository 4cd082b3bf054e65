import { createHash } from 'node:crypto';
import type { UploadPart } from '#shared/data-format/upload-messages.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';
import { inTime } from '#platform/process/waiting.ts';

/** A sender that is silent for this long is considered gone, because its import blocks all others. */
const SILENCE_MS = 30_000;

interface Message<Header> {
  part?: UploadPart<Header> | undefined;
}

/** What a sender uploads: its header, and its bytes, which are valid only once their hash has been verified. */
export class ReceivedBytes<Header> {
  readonly header: Header;
  readonly #parts: AsyncIterator<Message<Header>>;

  private constructor(header: Header, parts: AsyncIterator<Message<Header>>) {
    this.header = header;
    this.#parts = parts;
  }

  /**
   * Reads the header. Messages are read one by one, because leaving a `for await` over a call early destroys the call,
   * and no response could be sent.
   */
  static async begin<Header>(messages: AsyncIterable<Message<Header>>): Promise<ReceivedBytes<Header>> {
    const parts = messages[Symbol.asyncIterator]();
    const first = await nextPart(parts);
    if (first?.$case !== 'header') {
      throw new ServiceError('invalid_request', 'An upload begins with its header.');
    }
    return new ReceivedBytes(first.value, parts);
  }

  /**
   * Returns the hash in the end.
   * @param announced the hash that the sender named before
   * @throws ServiceError import_rejected unless the sender ends with the hash of the received bytes
   */
  async *bytes(announced?: string): AsyncGenerator<Buffer, string, undefined> {
    const hash = createHash('sha256');
    for (;;) {
      const part = await nextPart(this.#parts);
      if (!part) throw rejected('The upload was cut short: it ended without its SHA-256.');
      if (part.$case === 'header') throw rejected('The upload has a second header.');
      if (part.$case === 'end_sha256') {
        const sha256 = hash.digest('hex');
        if ([part.value.toLowerCase(), announced ?? sha256].some((claimed) => claimed !== sha256)) {
          throw rejected('The upload was damaged on its way: its SHA-256 is not the one that was announced.');
        }
        return sha256;
      }
      hash.update(part.value);
      yield part.value;
    }
  }
}

async function nextPart<Header>(
  parts: AsyncIterator<Message<Header>>,
): Promise<UploadPart<Header> | undefined> {
  const next = parts.next();
  // If the connection is lost after the timeout, the call has already been answered.
  next.catch(() => {});
  const silence = () => rejected(`The upload was cut short: nothing arrived for ${SILENCE_MS / 1000} s.`);
  try {
    const message = await inTime(next, SILENCE_MS, silence);
    if (message.done === true) return undefined;
    const { part } = message.value;
    if (!part) throw rejected('The upload has a part that is neither header, chunk nor end.');
    return part;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('import_rejected', 'The upload was cut short: the connection was lost.', {
      cause: error,
    });
  }
}
