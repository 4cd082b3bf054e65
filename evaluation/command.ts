import { checkDataset } from '#local/preflight.ts';
import { StartError } from '#local/start-error.ts';
import { isGivenUp, whenToldToStop } from '#local/stop-signals.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { Progress } from '#services/market-data/import/progress.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { systemClock } from '#shared/clock.ts';
import { ConfigError } from '#shared/config/config.ts';
import { ServiceError } from '#shared/service-error.ts';
import { NothingToEvaluate } from './evaluate.ts';
import { importMarket, PrivateImporter } from './private-importer.ts';
import { EvaluationProgress } from './progress.ts';
import { readSettings, type EvaluationSettings } from './settings.ts';

const IMPORT_SHOWN_EVERY_MS = 500;

/** A market in a ClickHouse of its own, and how to report on the work with it. */
export interface ImportedMarket {
  settings: EvaluationSettings;
  dataset: Dataset;
  sql: ClickHouseClient;
  progress: EvaluationProgress;
  /** Fires when the person at the terminal gives up. */
  signal: AbortSignal;
}

/**
 * Imports the market of the settings, does the work with it, and ends the process with 130 when it is given up, or with 1
 * after a sentence about what is wrong with the settings, the dataset or the span.
 */
export async function withImportedMarket(work: (market: ImportedMarket) => Promise<void>): Promise<void> {
  const signal = whenToldToStop(() => process.exit(130));
  const progress = new EvaluationProgress(process.stderr, () => performance.now());
  try {
    const settings = readSettings();
    checkDataset(settings.dataset);
    progress.say('Starting a ClickHouse of its own …');
    const importer = await PrivateImporter.start(systemClock);
    try {
      const dataset = await imported(importer, settings, progress, signal);
      const { version, tickers, bars, first_date, last_date } = dataset;
      progress.say(`${version}: ${tickers} tickers, ${bars} bars, ${first_date} to ${last_date}`);
      await work({ settings, dataset, sql: importer.sql, progress, signal });
    } finally {
      await importer.stop();
    }
  } catch (error) {
    if (isGivenUp(error, signal)) process.exit(130);
    const isPlain = [StartError, ConfigError, ServiceError, NothingToEvaluate].some(
      (kind) => error instanceof kind,
    );
    console.error(isPlain ? (error as Error).message : error);
    process.exit(1);
  }
}

async function imported(
  importer: PrivateImporter,
  settings: EvaluationSettings,
  progress: EvaluationProgress,
  signal: AbortSignal,
): Promise<Dataset> {
  const importing = new Progress();
  const show = () => progress.show(`${importing.step}, ${importing.rowsRead.toLocaleString('en')} rows`);
  const timer = setInterval(show, IMPORT_SHOWN_EVERY_MS);
  try {
    return await importMarket(importer, settings, { progress: importing, signal });
  } finally {
    clearInterval(timer);
  }
}
