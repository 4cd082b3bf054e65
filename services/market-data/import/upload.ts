import { createHash } from 'node:crypto';
import type { ImportDatasetRequest } from '#proto/saring/market_data/v1/datasets.ts';
import { invalidRequest } from '#shared/invalid-request.ts';
import { ServiceError, type FieldError } from '#shared/service-error.ts';

export const DATASET_KINDS = ['real', 'synthetic'] as const;
export type DatasetKind = (typeof DATASET_KINDS)[number];

type Part = NonNullable<ImportDatasetRequest['part']>;

const MAX_SOURCE_LENGTH = 200;
/** A sender that says nothing for so long is gone; the import it holds up would keep others waiting. */
const SILENCE_MS = 30_000;

/** An upload as it arrives: its header, then its bytes, which are complete only once their hash agreed. */
export class Upload {
  readonly source: string;
  readonly kind: DatasetKind;
  readonly #parts: AsyncIterator<ImportDatasetRequest>;
  #sha256: string | undefined;

  private constructor(parts: AsyncIterator<ImportDatasetRequest>, source: string, kind: DatasetKind) {
    this.#parts = parts;
    this.source = source;
    this.kind = kind;
  }

  /**
   * Reads the header. The messages are taken one by one: leaving a `for await` over a call early would destroy the
   * call, and the answer could not be sent.
   */
  static async begin(messages: AsyncIterable<ImportDatasetRequest>): Promise<Upload> {
    const parts = messages[Symbol.asyncIterator]();
    const first = await nextPart(parts);
    if (first?.$case !== 'header') {
      throw new ServiceError('invalid_request', 'An upload begins with its header.');
    }
    const { source, kind } = first.value;
    refuseMistakes(source, kind);
    return new Upload(parts, source, kind as DatasetKind);
  }

  /** SHA-256 of all bytes in hex. Only after `bytes` has been read to its end. */
  get sha256(): string {
    if (this.#sha256 === undefined) throw new Error('the upload has not been read to its end');
    return this.#sha256;
  }

  /** @throws ServiceError import_rejected unless the sender ends with the hash of what arrived */
  async *bytes(): AsyncGenerator<Buffer, void, undefined> {
    const hash = createHash('sha256');
    for (;;) {
      const part = await nextPart(this.#parts);
      if (!part) throw rejected('The upload was cut short: it ended without its SHA-256.');
      if (part.$case === 'header') throw rejected('The upload has a second header.');
      if (part.$case === 'end_sha256') {
        const sha256 = hash.digest('hex');
        if (part.value.toLowerCase() !== sha256) {
          throw rejected('The upload was damaged on its way: its SHA-256 is not the one that was announced.');
        }
        this.#sha256 = sha256;
        return;
      }
      hash.update(part.value);
      yield part.value;
    }
  }
}

async function nextPart(parts: AsyncIterator<ImportDatasetRequest>): Promise<Part | undefined> {
  const next = parts.next();
  // A call that is lost after the silence has already been answered.
  next.catch(() => {});
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(rejected(`The upload was cut short: nothing arrived for ${SILENCE_MS / 1000} s.`)),
    SILENCE_MS,
  );
  try {
    const message = await Promise.race([next, silence]);
    if (message.done === true) return undefined;
    const { part } = message.value;
    if (!part) throw rejected('The upload has a part that is neither header, chunk nor end.');
    return part;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('import_rejected', 'The upload was cut short: the connection was lost.', {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function refuseMistakes(source: string, kind: string): void {
  const detail: FieldError[] = [];
  if (source.trim() === '' || source.length > MAX_SOURCE_LENGTH) {
    const msg = `must have 1 to ${MAX_SOURCE_LENGTH} characters`;
    detail.push({ loc: ['header', 'source'], msg, type: 'string_length' });
  }
  if (!(DATASET_KINDS as readonly string[]).includes(kind)) {
    const msg = `must be ${DATASET_KINDS.join(' or ')}`;
    detail.push({ loc: ['header', 'kind'], msg, type: 'enum', input: kind });
  }
  if (detail.length > 0) throw invalidRequest(detail);
}

function rejected(message: string): ServiceError {
  return new ServiceError('import_rejected', message);
}
