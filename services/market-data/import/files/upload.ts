import type { ImportDatasetRequest, ImportHeader } from '#proto/saring/market_data/v1/datasets.ts';
import { refuse } from '#shared/invalid-request.ts';
import { notPlain } from '#shared/text/plain-text.ts';
import type { FieldError } from '#shared/service-error.ts';
import {
  BROKER_MODES,
  BROKER_UNITS,
  USUAL_ASSUMPTIONS,
  type BrokerMode,
  type BrokerUnit,
} from '#shared/data-format/broker-layout.ts';
import type { BrokerOptions } from '../import-source.ts';
import { ReceivedBytes } from './received-bytes.ts';

const DATASET_KINDS = ['real', 'synthetic'] as const;
type DatasetKind = (typeof DATASET_KINDS)[number];

/** Limit of a message of an upload. A chunk may have 1 MiB, and other clients count its frame differently. */
export const MAX_PART_BYTES = 2 * 1024 * 1024;
const MAX_SOURCE_LENGTH = 200;

/** An incoming upload: its header, then its bytes, which are valid only once their hash has been verified. */
export class Upload {
  readonly source: string;
  readonly kind: DatasetKind;
  readonly adds: boolean;
  readonly mayShrink: boolean;
  readonly brokers: BrokerOptions;
  readonly #received: ReceivedBytes<ImportHeader>;
  #sha256: string | undefined;

  private constructor(received: ReceivedBytes<ImportHeader>) {
    const { header } = received;
    this.#received = received;
    this.source = header.source;
    this.kind = header.kind as DatasetKind;
    this.adds = header.adds;
    this.mayShrink = header.may_shrink;
    this.brokers = {
      synthesizes: header.synthesize_brokers,
      unit: (header.broker_unit as BrokerUnit | '') || USUAL_ASSUMPTIONS.unit,
      mode: (header.broker_mode as BrokerMode | '') || USUAL_ASSUMPTIONS.mode,
      newestFirst: header.newest_first ?? false,
    };
    this.#sha256 = header.sha256?.toLowerCase();
  }

  /** Reads the header. */
  static async begin(messages: AsyncIterable<ImportDatasetRequest>): Promise<Upload> {
    const received = await ReceivedBytes.begin(messages);
    refuseMistakes(received.header);
    return new Upload(received);
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
    this.#sha256 = yield* this.#received.bytes(this.#sha256);
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
