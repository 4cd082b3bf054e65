import type {
  GenerateSampleRequest,
  ImportDatasetRequest,
  ImportOutcome,
} from '#proto/saring/market_data/v1/datasets.ts';
import { filesOf } from './archive.ts';
import type { Importer } from './importer.ts';
import type { Progress } from './progress.ts';
import { sampleMarket, type SampleDefaults } from './sample-market.ts';
import { Upload } from './upload.ts';

/** The two ways in: bytes that somebody sends, and a market that is made up. Both take the same path from there. */
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
    const { kind, source } = upload;
    const files = filesOf(upload.bytes(), source);
    return this.#importer.run({ kind, source, files, fingerprint: () => upload.sha256 }, progress, signal);
  }

  /** A market that is the newest version already is not made again. */
  async sample(
    wanted: GenerateSampleRequest,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const sample = sampleMarket(wanted, this.#sampleDefaults, signal);
    const same = await this.#importer.sameAsNewest(sample.kind, sample.fingerprint());
    return same ? this.#importer.outcome(same, progress) : this.#importer.run(sample, progress, signal);
  }
}
