import { checkDataset } from '#local/preflight.ts';
import { StartError } from '#local/configuration/start-error.ts';
import { isGivenUp, whenToldToStop } from '#local/stop-signals.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { Progress } from '#services/market-data/import/request/progress.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { systemClock } from '#foundation/clock.ts';
import { ConfigError } from '#platform/configuration/config.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { NothingToEvaluate } from './evaluate.ts';
import { importMarket, PrivateImporter } from './private-importer.ts';
import { EvaluationProgress } from './progress.ts';
import { readSettings, type EvaluationSettings } from './settings.ts';

const IMPORT_SHOWN_EVERY_MS = 500;

/** An imported market in a private ClickHouse, and the means to report progress. */
interface ImportedMarket {
  settings: EvaluationSettings;
  dataset: Dataset;
  sql: ClickHouseClient;
  progress: EvaluationProgress;
  /** Fires when the user at the terminal interrupts the command. */
  signal: AbortSignal;
}

/**
 * Imports the market of the settings and does the work with it. Ends the process with 130 when the user interrupts it, or with
 * 1 after a message about wrong settings, a wrong dataset or a wrong span.
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
