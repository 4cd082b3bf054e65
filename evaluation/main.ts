/** `make evaluate`: what came of what the models said, week after week; see evaluation.ts for what it writes. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkDataset } from '#local/preflight.ts';
import { StartError } from '#local/start-error.ts';
import { isGivenUp, whenToldToStop } from '#local/stop-signals.ts';
import { Progress } from '#services/market-data/import/progress.ts';
import { systemClock } from '#shared/clock.ts';
import { ConfigError } from '#shared/config/config.ts';
import { ServiceError } from '#shared/service-error.ts';
import { importMarket } from './imported-market.ts';
import { PrivateImporter } from './private-importer.ts';
import { evaluate, NothingToEvaluate } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import { PastRuns } from './past-runs.ts';
import { EvaluationProgress } from './progress.ts';
import { repeatCommand } from './repeat-command.ts';
import { evaluationPage } from './report/page.ts';
import { summaryTable } from './report/summary-table.ts';
import { readSettings, type EvaluationSettings } from './settings.ts';

const IMPORT_SHOWN_EVERY_MS = 500;

const stopSignal = whenToldToStop(() => process.exit(130));
const progress = new EvaluationProgress(process.stderr, () => performance.now());

try {
  const settings = readSettings();
  checkDataset(settings.dataset);
  const evaluation = await evaluated(settings);
  await write(settings.out, evaluation);
  console.log(summaryTable(evaluation));
  console.log(`\n${path.join(settings.out, 'evaluation.html')}`);
} catch (error) {
  if (isGivenUp(error, stopSignal)) process.exit(130);
  const isPlain = [StartError, ConfigError, ServiceError, NothingToEvaluate].some(
    (kind) => error instanceof kind,
  );
  console.error(isPlain ? (error as Error).message : error);
  process.exit(1);
}

async function evaluated(settings: EvaluationSettings): Promise<Evaluation> {
  const evaluated_at = new Date().toISOString();
  progress.say('Starting a ClickHouse of its own …');
  const importer = await PrivateImporter.start(systemClock);
  try {
    const dataset = await imported(importer, settings);
    const { version, tickers, bars, first_date, last_date } = dataset;
    progress.say(`${version}: ${tickers} tickers, ${bars} bars, ${first_date} to ${last_date}`);
    const runs = await PastRuns.start(importer.sql, dataset);
    try {
      const figures = await evaluate(runs, dataset, settings, { progress, signal: stopSignal });
      const duration_seconds = progress.elapsedMs / 1000;
      return { ...figures, command: repeatCommand(settings, figures.span), evaluated_at, duration_seconds };
    } finally {
      await runs.stop();
    }
  } finally {
    await importer.stop();
  }
}

async function imported(importer: PrivateImporter, settings: EvaluationSettings) {
  const importing = new Progress();
  const show = () => progress.show(`${importing.step}, ${importing.rowsRead.toLocaleString('en')} rows`);
  const timer = setInterval(show, IMPORT_SHOWN_EVERY_MS);
  try {
    return await importMarket(importer, settings, { progress: importing, signal: stopSignal });
  } finally {
    clearInterval(timer);
  }
}

async function write(out: string, evaluation: Evaluation): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeFile(path.join(out, 'evaluation.json'), `${JSON.stringify(evaluation, null, 1)}\n`);
  await writeFile(path.join(out, 'evaluation.html'), evaluationPage(evaluation));
}
