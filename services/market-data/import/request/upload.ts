import type { ImportDatasetRequest, ImportHeader } from '#proto/saring/market_data/v1/datasets.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { isCalendarDay } from '#foundation/jakarta-time.ts';
import { notPlain } from '#platform/wire/plain-text.ts';
import type { FieldError } from '#foundation/errors/service-error.ts';
import {
  BROKER_MODES,
  BROKER_UNITS,
  USUAL_ASSUMPTIONS,
  type BrokerMode,
  type BrokerUnit,
} from '#shared/data-format/broker-layout.ts';
import { OF_OPERATOR, type BrokerOptions, type DaySpan, type ImportSource } from './import-source.ts';
import { SOURCE_NAME, SOURCE_NAME_WORDS } from '#shared/data-format/source-name.ts';
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
  readonly restates: DaySpan | undefined;
  readonly brokers: BrokerOptions;
  readonly said: NonNullable<ImportSource['said']>;
  readonly #received: ReceivedBytes<ImportHeader>;
  #sha256: string | undefined;

  private constructor(received: ReceivedBytes<ImportHeader>) {
    const { header } = received;
    this.#received = received;
    this.source = header.source;
    this.kind = header.kind as DatasetKind;
    this.adds = header.adds;
    this.mayShrink = header.may_shrink;
    const { restates_from: from, restates_to: to = from } = header;
    this.restates = from === undefined || to === undefined ? undefined : { from, to };
    this.brokers = {
      synthesizes: header.synthesize_brokers,
      unit: (header.broker_unit as BrokerUnit | '') || USUAL_ASSUMPTIONS.unit,
      mode: (header.broker_mode as BrokerMode | '') || USUAL_ASSUMPTIONS.mode,
      newestFirst: header.newest_first ?? false,
    };
    this.said = {
      by: header.source_name ?? OF_OPERATOR,
      retrievedAt: header.retrieved_at,
      rank: header.rank ?? 0,
    };
    this.#sha256 = header.sha256?.toLowerCase();
  }

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

function refuseMistakes({
  source,
  kind,
  broker_unit,
  broker_mode,
  source_name,
  ...header
}: ImportHeader): void {
  const detail: FieldError[] = [];
  const { restates_from, restates_to } = header;
  for (const [name, input] of Object.entries({ restates_from, restates_to }))
    if (input !== undefined && !isCalendarDay(input))
      detail.push({ loc: ['header', name], msg: 'must be a day YYYY-MM-DD', type: 'date_parsing', input });
  if (restates_to !== undefined && !(restates_from !== undefined && restates_from <= restates_to)) {
    const msg = 'must come with restates_from, and not be before it';
    detail.push({ loc: ['header', 'restates_to'], msg, type: 'value_error', input: restates_to });
  }
  if (source.trim() === '' || source.length > MAX_SOURCE_LENGTH) {
    const msg = `must have 1 to ${MAX_SOURCE_LENGTH} characters`;
    const type = source.trim() === '' ? 'string_too_short' : 'string_too_long';
    detail.push({ loc: ['header', 'source'], msg, type, input: source });
  }
  detail.push(...notPlain(['header', 'source'], source));
  if (source_name !== undefined && !new RegExp(SOURCE_NAME).test(source_name))
    detail.push({
      loc: ['header', 'source_name'],
      msg: `must be ${SOURCE_NAME_WORDS}`,
      type: 'value_error',
      input: source_name,
    });
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
