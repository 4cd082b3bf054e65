import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Dataset, ImportOutcome, ImportProgress } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#shared/service-error.ts';
import { textTable } from '#shared/text-table.ts';
import { notSilent } from '../not-silent.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { clock, ProgressLine } from '../progress-line.ts';
import { Upload } from '../upload.ts';

/** A whole market takes seconds; an hour means that something hangs. */
const IMPORT_TIMEOUT_MS = 3_600_000;

/** `saring dataset …` */
export function addDatasetCommands(program: Command): void {
  const dataset = program.command('dataset').description('import market data and look at its versions');
  const json = ['--json', 'one JSON document'] as const;
  dataset
    .command('import <file-or-folder>')
    .description('publish daily bars (CSV files, a folder or tar of them, gzipped or not) as a new version')
    .option('--if-changed', 'do nothing when the version in use was made from the same bytes')
    .addOption(new Option('--kind <kind>', 'what the data is').choices(['real', 'synthetic']).default('real'))
    .option(...json)
    .addHelpText(
      'after',
      '\nExample:\n  saring dataset import idx-daily.tar.gz --if-changed\n  saring dataset import ./idx-daily --json',
    )
    .action(importDataset);
  dataset
    .command('sample')
    .description('publish a synthetic market; the same seed gives the same market')
    .option('--seed <n>', 'seed of the generator', seedNumber, 1)
    .option('--tickers <n>', 'number of tickers', wholeNumber)
    .option('--days <n>', 'number of trading days', wholeNumber)
    .option(...json)
    .addHelpText('after', '\nExample:\n  saring dataset sample --seed 7 --tickers 200 --days 500')
    .action(sample);
  dataset
    .command('show')
    .description('the version in use')
    .option(...json)
    .action(show);
  dataset
    .command('list')
    .description('every version, newest first')
    .option(...json)
    .action(list);
  dataset
    .command('rejected')
    .description('rows that an import refused, with file, line and reason')
    .option('--version <version>', 'version, as `dataset list` shows it (default: the newest)', '')
    .option('--limit <n>', 'at most this many, 1 to 1000', wholeNumber, 50)
    .option(...json)
    .addHelpText('after', '\nExample:\n  saring dataset rejected --version real-20240628-1 --limit 10')
    .action(rejected);
}

interface ImportOptions extends OutputOptions {
  kind: string;
  ifChanged?: boolean;
}

async function importDataset(source: string, options: ImportOptions): Promise<void> {
  const upload = await Upload.of(source);
  await withFleet(async ({ datasets, call }) => {
    if (options.ifChanged) {
      const { dataset } = await datasets.getCurrentDataset({}, call);
      if (dataset?.kind === options.kind && dataset.fingerprint === (await upload.fingerprint())) {
        return answer(options, { dataset, unchanged: true }, () => `  ✓ ${describe(dataset)}, unchanged`);
      }
    }
    const begin = (signal: AbortSignal) =>
      datasets.importDataset(upload.messages(options.kind), {
        ...call,
        signal,
        timeoutMs: IMPORT_TIMEOUT_MS,
      });
    const outcome = await outcomeOf(notSilent(begin)).catch((error: unknown) => {
      throw upload.failure ?? error;
    });
    report(options, outcome);
  });
}

interface SampleOptions extends OutputOptions {
  seed: number;
  tickers?: number;
  days?: number;
}

async function sample({ seed, tickers, days, ...options }: SampleOptions): Promise<void> {
  await withFleet(async ({ datasets, call }) => {
    const begin = (signal: AbortSignal) =>
      datasets.generateSample({ seed, tickers, days }, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
    report(options, await outcomeOf(notSilent(begin)));
  });
}

async function show(options: OutputOptions): Promise<void> {
  const { dataset, data_loaded } = await withFleet(({ datasets, call }) =>
    datasets.getCurrentDataset({}, call),
  );
  answer(options, { dataset: dataset ?? null, data_loaded }, () =>
    dataset
      ? `${describe(dataset)}${data_loaded ? '' : ', not in memory yet'}`
      : 'No dataset is published yet.',
  );
}

async function list(options: OutputOptions): Promise<void> {
  const { datasets } = await withFleet((session) => session.datasets.listDatasets({}, session.call));
  answer(options, { datasets }, () =>
    textTable(
      ['version', 'kind', 'from', 'to', 'tickers', 'bars', 'refused', 'source'],
      datasets.map((row) => [
        ...[row.version, row.kind, row.first_date, row.last_date, row.tickers],
        ...[row.bars, row.rejected_rows, row.source],
      ]),
    ).join('\n'),
  );
}

interface RejectedOptions extends OutputOptions {
  version: string;
  limit: number;
}

async function rejected({ version, limit, ...options }: RejectedOptions): Promise<void> {
  const { rows } = await withFleet(({ datasets, call }) =>
    datasets.listRejectedRows({ version, limit }, call),
  );
  answer(options, { rows }, () =>
    rows.length === 0
      ? 'No row was refused.'
      : rows.map(({ file, line, reason, text }) => `${file}:${line}: ${reason}\n    ${text}`).join('\n'),
  );
}

type ImportEvent = {
  event?:
    { $case: 'progress'; value: ImportProgress } | { $case: 'outcome'; value: ImportOutcome } | undefined;
};

async function outcomeOf(events: AsyncIterable<ImportEvent>): Promise<ImportOutcome> {
  const progress = new ProgressLine();
  try {
    for await (const { event } of events) {
      if (event?.$case === 'progress') progress.show(event.value);
      if (event?.$case === 'outcome') return event.value;
    }
  } finally {
    progress.clear();
  }
  throw new ServiceError('internal_error', 'the import ended without saying what came of it');
}

function report(options: OutputOptions, outcome: ImportOutcome): void {
  const { dataset, rejections, elapsed_ms } = outcome;
  answer(options, outcome, () => {
    const refused = rejections.map(({ rows, reason, first_at }) => [
      rows.toLocaleString('en'),
      reason,
      first_at,
    ]);
    const table = textTable(['rows refused', 'reason', 'first at'], refused).map((line) => `  ${line}`);
    return [
      `  ✓ ${dataset ? describe(dataset) : ''}   ${clock(elapsed_ms)}`,
      ...(refused.length > 0 ? ['', ...table] : []),
    ].join('\n');
  });
}

function describe({ version, kind, tickers, bars, first_date, last_date, source }: Dataset): string {
  const label = kind === 'synthetic' ? 'SYNTHETIC' : kind;
  const size = `${tickers} tickers, ${bars.toLocaleString('en')} bars, ${first_date} to ${last_date}`;
  return `dataset ${version} (${label}): ${size}, from ${source}`;
}

/** The seed travels as a 32-bit number; a larger one would be another one. */
function seedNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 0xffff_ffff) throw new InvalidArgumentError('must be at most 4294967295.');
  return value;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number.');
  return value;
}
