import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { DatasetImports } from '#services/market-data/import/dataset-imports.ts';
import type { ImportWork } from '#services/market-data/import/dataset-imports.ts';
import { Upload } from '#services/operator/upload.ts';
import type { PrivateImporter } from './private-importer.ts';

export interface MarketToImport {
  /** File or folder; undefined makes a market up. */
  dataset: string | undefined;
  /** Only of a named dataset; a made-up market has made-up broker rows anyway. */
  synthesizeBrokers: boolean;
  sample: { tickers: number; days: number };
}

const HEADER = { kind: 'real', adds: false, may_shrink: false, broker_unit: '', broker_mode: '' };
/** The seed of the market that `make run` makes up. */
const SAMPLE_SEED = 1;

/** Imports what is named, or a made-up market, the way `saring dataset import` has it done. */
export async function importMarket(
  { importer }: PrivateImporter,
  { dataset, synthesizeBrokers, sample }: MarketToImport,
  work: Omit<ImportWork, 'actor'>,
): Promise<Dataset> {
  const imports = new DatasetImports(importer, sample);
  const named = { ...work, actor: 'evaluation' };
  const outcome =
    dataset === undefined
      ? await imports.sample({ seed: SAMPLE_SEED, may_shrink: false }, named)
      : await imports.upload(
          (await Upload.of(dataset)).messages({ ...HEADER, synthesize_brokers: synthesizeBrokers }),
          named,
        );
  return outcome.dataset!;
}
