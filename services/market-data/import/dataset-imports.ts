import type {
  AcceptDayRequest,
  ContinueSampleRequest,
  GenerateSampleRequest,
  ImportDatasetRequest,
  ImportOutcome,
  SynthesizeBrokersRequest,
} from '#proto/saring/market_data/v1/datasets.ts';
import { rejected } from './rejected.ts';
import { filesOf } from './files/archive.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import type { Importer } from './importer.ts';
import type { Progress } from './request/progress.ts';
import { DEFAULT_BROKER_SEED } from './synthesis/store-synthetic-brokers.ts';
import { continuedMarket } from './synthesis/continued-market.ts';
import { sampleMarket, type SampleDefaults } from './synthesis/sample-market.ts';
import { Upload } from './request/upload.ts';

/** The context of an import: its progress, its abort signal and the requesting actor. */
export interface ImportWork {
  progress: Progress;
  signal: AbortSignal;
  actor: string;
}

/**
 * The kinds of import: uploaded files, a generated market, and generated broker rows for the served version. All use
 * the same importer.
 */
export class DatasetImports {
  readonly #importer: Importer;
  readonly #sampleDefaults: SampleDefaults;

  constructor(importer: Importer, sampleDefaults: SampleDefaults) {
    this.#importer = importer;
    this.#sampleDefaults = sampleDefaults;
  }

  async upload(messages: AsyncIterable<ImportDatasetRequest>, work: ImportWork): Promise<ImportOutcome> {
    const { progress, signal, actor } = work;
    const upload = await Upload.begin(messages);
    const { kind, source, adds, restates, brokers, said } = upload;
    const order = { action: 'import' as const, actor, mayShrink: upload.mayShrink };
    const request = { kind, source, adds, restates, brokers, said, ...order, sha256: () => upload.sha256 };
    const same = upload.isAnnounced ? await this.#importer.same(request, progress) : undefined;
    if (brokers.synthesizes && same?.dataset?.broker_data === 'none') {
      return this.synthesizeBrokers({ seed: DEFAULT_BROKER_SEED }, work);
    }
    return (
      same ?? this.#importer.run({ ...request, files: filesOf(upload.bytes(), source) }, progress, signal)
    );
  }

  /** A market that is already served is not generated again. */
  async sample(
    wanted: GenerateSampleRequest,
    { progress, signal, actor }: ImportWork,
  ): Promise<ImportOutcome> {
    const made = sampleMarket(wanted, this.#sampleDefaults, signal);
    const sample = { ...made, action: 'sample' as const, actor, mayShrink: wanted.may_shrink };
    return (await this.#importer.same(sample, progress)) ?? this.#importer.run(sample, progress, signal);
  }

  /** Days that were already added by the same request are not generated again. */
  async continueSample(
    { continue_from, days_more }: ContinueSampleRequest,
    { progress, signal, actor }: ImportWork,
  ): Promise<ImportOutcome> {
    const base = await this.#importer.withDays(continue_from);
    const made = continuedMarket(base, days_more, signal);
    const request = { ...made, action: 'sample' as const, actor, mayShrink: false };
    return (await this.#importer.same(request, progress)) ?? this.#importer.run(request, progress, signal);
  }

  /**
   * The served version with a day that counts as whole.
   * @throws ServiceError import_rejected for a day without rows
   */
  async acceptDay(
    { day: wanted, reason }: AcceptDayRequest,
    { progress, signal, actor }: ImportWork,
  ): Promise<ImportOutcome> {
    const { dataset, days } = await this.#importer.withDays('');
    const { version, kind, source } = dataset;
    const day = wanted ?? dataset.last_date;
    if (!days.includes(day))
      throw rejected(`${version} has no rows of ${day}, so there is nothing to accept.`);
    const order = { action: 'accepted day' as const, actor, mayShrink: false };
    const why = reason.trim() === '' ? day : `${day}: ${reason.trim()}`;
    const brokers = { synthesizes: false, ...USUAL_ASSUMPTIONS };
    const added = { kind, source, sha256: () => `accepted ${day}`, adds: true, addsTo: version, brokers };
    return this.#importer.run({ ...added, ...order, acceptedDay: day, reason: why }, progress, signal);
  }

  /** If the served version already has exactly these rows, they are not generated again. */
  async synthesizeBrokers(
    { seed }: SynthesizeBrokersRequest,
    { progress, signal, actor }: ImportWork,
  ): Promise<ImportOutcome> {
    const served = await this.#importer.served();
    const request = {
      action: 'broker synthesis' as const,
      actor,
      mayShrink: false,
      kind: served?.kind ?? 'real',
      source: served?.source ?? 'no dataset',
      sha256: () => '',
      adds: true,
      brokers: { synthesizes: true, seed, ...USUAL_ASSUMPTIONS },
    };
    return (await this.#importer.same(request, progress)) ?? this.#importer.run(request, progress, signal);
  }
}
