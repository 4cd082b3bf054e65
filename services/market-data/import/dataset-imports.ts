import type {
  GenerateSampleRequest,
  ImportDatasetRequest,
  ImportOutcome,
  SynthesizeBrokersRequest,
} from '#proto/saring/market_data/v1/datasets.ts';
import { filesOf } from './archive.ts';
import { USUAL_ASSUMPTIONS } from './broker/broker-layout.ts';
import type { Importer } from './importer.ts';
import type { Progress } from './progress.ts';
import { DEFAULT_BROKER_SEED } from './synthesis/store-synthetic-brokers.ts';
import { sampleMarket, type SampleDefaults } from './sample-market.ts';
import { Upload } from './upload.ts';

/**
 * The ways in: bytes that somebody sends, a market that is made up, and made-up broker rows for the newest version. All
 * take the same path from there.
 */
export class DatasetImports {
  readonly #importer: Importer;
  readonly #sampleDefaults: SampleDefaults;

  constructor(importer: Importer, sampleDefaults: SampleDefaults) {
    this.#importer = importer;
    this.#sampleDefaults = sampleDefaults;
  }

  async upload(
    messages: AsyncIterable<ImportDatasetRequest>,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const upload = await Upload.begin(messages);
    const { kind, source, adds, brokers } = upload;
    const wish = { kind, source, adds, brokers, sha256: () => upload.sha256 };
    const same = upload.isAnnounced ? await this.#importer.same(wish, progress) : undefined;
    if (brokers.synthesizes && same?.dataset?.broker_data === 'none') {
      return this.synthesizeBrokers({ seed: DEFAULT_BROKER_SEED }, progress, signal);
    }
    return same ?? this.#importer.run({ ...wish, files: filesOf(upload.bytes(), source) }, progress, signal);
  }

  /** A market that is the newest version already is not made again. */
  async sample(
    wanted: GenerateSampleRequest,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const sample = sampleMarket(wanted, this.#sampleDefaults, signal);
    return (await this.#importer.same(sample, progress)) ?? this.#importer.run(sample, progress, signal);
  }

  /** A version that has these very rows already is not made again. */
  async synthesizeBrokers(
    { seed }: SynthesizeBrokersRequest,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const newest = await this.#importer.newest();
    const wish = {
      kind: newest?.kind ?? 'real',
      source: newest?.source ?? 'no dataset',
      sha256: () => '',
      adds: true,
      brokers: { synthesizes: true, seed, ...USUAL_ASSUMPTIONS },
    };
    return (await this.#importer.same(wish, progress)) ?? this.#importer.run(wish, progress, signal);
  }

  /** Removes all but the newest versions and the one in use. Gives the names of what was removed, newest first. */
  prune(keep: number, versionInUse: string | undefined): Promise<string[]> {
    return this.#importer.prune({ keep, versionInUse });
  }
}
