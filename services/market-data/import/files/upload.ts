import { createHash } from 'node:crypto';
import type { ImportDatasetRequest, ImportHeader } from '#proto/saring/market_data/v1/datasets.ts';
import { refuse } from '#shared/invalid-request.ts';
import { notPlain } from '#shared/text/plain-text.ts';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import {
  BROKER_MODES,
  BROKER_UNITS,
  USUAL_ASSUMPTIONS,
  type BrokerMode,
  type BrokerUnit,
} from '#shared/data-format/broker-layout.ts';
import type { BrokerOptions } from '../import-source.ts';
import { inTime } from '#shared/waiting.ts';

const DATASET_KINDS = ['real', 'synthetic'] as const;
type DatasetKind = (typeof DATASET_KINDS)[number];

type Part = NonNullable<ImportDatasetRequest['part']>;

/** Limit of a message of an upload. A chunk may have 1 MiB, and other clients count its frame differently. */
export const MAX_PART_BYTES = 2 * 1024 * 1024;
const MAX_SOURCE_LENGTH = 200;
/** A sender that is silent for this long is considered gone, because its import blocks all others. */
const SILENCE_MS = 30_000;

/** An incoming upload: its header, then its bytes, which are valid only once their hash has been verified. */
export class Upload {
  readonly source: string;
  readonly kind: DatasetKind;
  readonly adds: boolean;
  readonly mayShrink: boolean;
  readonly brokers: BrokerOptions;
  readonly #parts: AsyncIterator<ImportDatasetRequest>;
  #sha256: string | undefined;

  private constructor(parts: AsyncIterator<ImportDatasetRequest>, header: ImportHeader) {
    this.#parts = parts;
    this.source = header.source;
    this.kind = header.kind as DatasetKind;
    this.adds = header.adds;
    this.mayShrink = header.may_shrink;
    this.brokers = {
      synthesizes: header.synthesize_brokers,
      unit: (header.broker_unit as BrokerUnit | '') || USUAL_ASSUMPTIONS.unit,
      mode: (header.broker_mode as BrokerMode | '') || USUAL_ASSUMPTIONS.mode,
    };
    this.#sha256 = header.sha256?.toLowerCase();
  }

  /**
   * Reads the header. Messages are read one by one, because leaving a `for await` over a call early destroys the call,
   * and no response could be sent.
   */
  static async begin(messages: AsyncIterable<ImportDatasetRequest>): Promise<Upload> {
    const parts = messages[Symbol.asyncIterator]();
    const first = await nextPart(parts);
    if (first?.$case !== 'header') {
      throw new ServiceError('invalid_request', 'An upload begins with its header.');
    }
    refuseMistakes(first.value);
    return new Upload(parts, first.value);
  }

  /** Whether `sha256` is known before the bytes are read. */
  get isAnnounced(): boolean {
    return this.#sha256 !== undefined;
  }

  /**
   * SHA-256 of all bytes in hex. If it was not announced, it is available only after `bytes` has been read to its end.
   */
  get sha256(): string {
    if (this.#sha256 === undefined) throw new Error('the upload has not been read to its end');
    return this.#sha256;
  }

  /** @throws ServiceError import_rejected unless the sender ends with the hash of the received bytes */
  async *bytes(): AsyncGenerator<Buffer, void, undefined> {
    const hash = createHash('sha256');
    for (;;) {
      const part = await nextPart(this.#parts);
      if (!part) throw rejected('The upload was cut short: it ended without its SHA-256.');
      if (part.$case === 'header') throw rejected('The upload has a second header.');
      if (part.$case === 'end_sha256') {
        const sha256 = hash.digest('hex');
        if ([part.value.toLowerCase(), this.#sha256 ?? sha256].some((claimed) => claimed !== sha256)) {
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

function refuseMistakes({ source, kind, broker_unit, broker_mode }: ImportHeader): void {
  const detail: FieldError[] = [];
  if (source.trim() === '' || source.length > MAX_SOURCE_LENGTH) {
    const msg = `must have 1 to ${MAX_SOURCE_LENGTH} characters`;
    const type = source.trim() === '' ? 'string_too_short' : 'string_too_long';
    detail.push({ loc: ['header', 'source'], msg, type, input: source });
  }
  detail.push(...notPlain(['header', 'source'], source));
  for (const [name, value, choices] of [
    ['kind', kind, DATASET_KINDS],
    ['broker_unit', broker_unit || USUAL_ASSUMPTIONS.unit, BROKER_UNITS],
    ['broker_mode', broker_mode || USUAL_ASSUMPTIONS.mode, BROKER_MODES],
  ] as const) {
    if ((choices as readonly string[]).includes(value)) continue;
    const msg = `must be ${choices.join(' or ')}`;
    detail.push({ loc: ['header', name], msg, type: 'enum', input: value });
  }
  refuse(detail);
}

function rejected(message: string): ServiceError {
  return new ServiceError('import_rejected', message);
}
