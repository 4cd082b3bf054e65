import { Option, type Command } from 'commander';
import type { ImportHeader } from '#proto/saring/market_data/v1/datasets.ts';
import { isAtTerminal, agrees } from '../terminal/ask.ts';
import { withFleet, type OperatorSession } from '../fleet/operator-session.ts';
import { examples, note, type OutputOptions } from '../terminal/output.ts';
import { Upload } from './upload.ts';
import { outcomeOf, report } from './import-report.ts';
import { calendarDay, daySpan, numberFromOne, seedNumber, wholeNumber } from '../terminal/option-values.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { textTable } from '#foundation/text/text-table.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { CommandFailure } from '../terminal/command-failure.ts';

/** An import of a whole market takes seconds. After an hour something hangs. */
const IMPORT_TIMEOUT_MS = 3_600_000;

const IMPORT_HELP = `
The first line of a file shows what the file contains: bars in the exchange's daily format (one file per ticker, or one
file per day with a column ticker), the exchange's listings, broker rows (what brokers bought and sold), a broker table,
or a table of corporate actions.
Broker rows can be CSV or JSON.

With --add, the bars are added to the served version. Rows that would change what it says of a stock and day are refused, and
so are rows before its first day, except on the days that --restate names. Each restated day is reported with the number of
values that changed. Empty fields replace nothing. Files without bars are always added. Adding data that is already there changes
nothing. Every version stays until 'saring dataset prune' removes it.

An import asks for confirmation if it would shrink the served market to under 80 % of its tickers, trading days, bars or
real broker rows, or replace a real market with a synthetic one. Without a terminal, it is refused with exit code 4, unless
you give --replace. 'saring dataset use' goes back to the previous version.

Examples:
  saring dataset import idx-daily.tar.gz --if-changed
  saring dataset import ./today --add
  saring dataset import corrected.csv --add --restate 2024-06-03..2024-06-28
  saring dataset import broker_rows.csv.gz
  saring dataset import vendor.json --broker-unit lots --broker-mode net
  saring dataset brokers --csv > brokers.csv    # then edit it, and
  saring dataset import brokers.csv`;

/** `saring dataset import`, `sample`, `continue`, `synthesize-brokers` and `accept-day`: the commands that publish a version and report the outcome. */
export function addImportCommands(dataset: Command): void {
  dataset
    .command('import <file-or-folder>')
    .description('publish files, a folder or a tar of them, gzipped or not, as a new version')
    .option(
      '--if-changed',
      'do nothing if the served version was made from the same bytes, even if data was added since',
    )
    .option('--add', 'add the bars to the served version instead of making a new dataset of them')
    .addOption(
      new Option(
        '--restate <from..to>',
        'day, or span of days, that the added bars may change (implies --add)',
      )
        .argParser(daySpan)
        .implies({ add: true })
        .conflicts('replace'),
    )
    .addOption(
      new Option('--replace', 'do not ask for confirmation, even if the served market shrinks').conflicts(
        'add',
      ),
    )
    .option('--synthesize-brokers', 'make up broker rows when there are no real ones')
    .addOption(new Option('--kind <kind>', 'what the data is').choices(['real', 'synthetic']).default('real'))
    .addOption(
      new Option(
        '--broker-unit <unit>',
        'unit of the numbers in broker rows, if no column says it (default: shares)',
      ).choices(['shares', 'lots']),
    )
    .addOption(
      new Option(
        '--broker-mode <mode>',
        'whether broker rows have both sides (gross) or their difference (net), if no column says it (default: gross)',
      ).choices(['gross', 'net']),
    )
    .option(
      '--source <name>',
      'the declared source whose files these are; they rank as it does (default: first)',
    )
    .addHelpText('after', IMPORT_HELP)
    .action(importDataset);
  dataset
    .command('sample')
    .description('publish a synthetic market; the same seed gives the same market')
    .option('--seed <n>', 'seed of the generator', seedNumber, 1)
    .option('--tickers <n>', 'number of tickers', wholeNumber)
    .option('--days <n>', 'number of trading days', wholeNumber)
    .option('--last-date <day>', 'end on the last trading day on or before this one, YYYY-MM-DD')
    .option('--replace', 'do not ask for confirmation, even if the served market shrinks or is real')
    .addHelpText(...examples('dataset sample --seed 7 --tickers 200 --days 500'))
    .action(sample);
  dataset
    .command('continue')
    .description(
      'publish the served synthetic market again with more days; its earlier days stay as they are',
    )
    .option('--days <n>', 'number of trading days to add', numberFromOne, 1)
    .addHelpText(...examples('dataset continue --days 5'))
    .action(continueSample);
  dataset
    .command('synthesize-brokers')
    .description('publish the served version again, with made-up broker rows that fit its bars')
    .option('--seed <n>', 'seed of the generator', seedNumber, 1)
    .addHelpText(...examples('dataset synthesize-brokers --seed 7'))
    .action(synthesizeBrokers);
  dataset
    .command('accept-day')
    .description('publish the served version again, in which a day with few stocks counts as whole')
    .argument('[day]', 'the day, YYYY-MM-DD; the newest one if left out', calendarDay)
    .option('--reason <text>', 'why, for the history of served versions', '')
    .addHelpText(...examples('dataset accept-day --reason "the exchange closed at noon"'))
    .action(acceptDay);
}

interface ImportOptions extends OutputOptions {
  kind: string;
  ifChanged?: boolean;
  add?: boolean;
  restate?: { from: string; to: string };
  replace?: boolean;
  synthesizeBrokers?: boolean;
  brokerUnit?: string;
  brokerMode?: string;
  source?: string;
}

/** The rank of a declared source. */
async function ranked({ feed, call }: OperatorSession, name: string) {
  const { sources } = await feed.listSources({}, call);
  const declared = sources.filter(({ format }) => format !== 'generator').map((source) => source.name);
  if (declared.includes(name)) return { source_name: name, rank: declared.indexOf(name) };
  const names = declared.join(', ') || 'none';
  throw new CommandFailure(EXIT.usage, `there is no source ${name}; declared: ${names}`);
}

async function importDataset(source: string, options: ImportOptions): Promise<void> {
  const upload = await Upload.of(source);
  await withFleet(async (session) => {
    const { datasets, call } = session;
    const request: Omit<ImportHeader, 'source' | 'may_shrink'> = {
      ...(options.source !== undefined && (await ranked(session, options.source))),
      kind: options.kind,
      adds: options.add ?? false,
      restates_from: options.restate?.from,
      restates_to: options.restate?.to,
      synthesize_brokers: options.synthesizeBrokers ?? false,
      broker_unit: options.brokerUnit ?? '',
      broker_mode: options.brokerMode ?? '',
      sha256: options.ifChanged ? await upload.sha256() : undefined,
    };
    const run = (may_shrink: boolean) => {
      const begin = (signal: AbortSignal) => {
        const messages = upload.messages({ ...request, may_shrink });
        return datasets.importDataset(messages, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
      };
      return outcomeOf(begin).catch((error: unknown) => {
        throw upload.failure ?? error;
      });
    };
    report(options, await unlessItShrinks(run, consentOf(options, upload.isRepeatable)));
  });
}

/** Asks only at a terminal, and only if the same bytes can be sent a second time. */
function consentOf({ replace, json }: { replace?: boolean; json?: boolean }, isRepeatable = true) {
  return { mayShrink: replace ?? false, canAsk: isRepeatable && !json && isAtTerminal() };
}

interface SampleOptions extends OutputOptions {
  replace?: boolean;
  seed: number;
  tickers?: number;
  days?: number;
  lastDate?: string;
}

async function sample({ seed, tickers, days, lastDate, ...options }: SampleOptions): Promise<void> {
  await withFleet(async ({ datasets, call }) => {
    const run = (may_shrink: boolean) =>
      outcomeOf((signal) => {
        const wanted = { seed, tickers, days, may_shrink, last_date: lastDate };
        return datasets.generateSample(wanted, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
      });
    report(options, await unlessItShrinks(run, consentOf(options)));
  });
}

async function continueSample({ days, ...options }: OutputOptions & { days: number }): Promise<void> {
  await withFleet(async ({ datasets, call }) => {
    const { served_version } = await datasets.listDatasets({}, call);
    if (served_version === '') throw new ServiceError('not_found', 'There is no dataset yet.');
    const wanted = { continue_from: served_version, days_more: days };
    const begin = (signal: AbortSignal) =>
      datasets.continueSample(wanted, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
    report(options, await outcomeOf(begin));
  });
}

async function synthesizeBrokers({ seed, ...options }: OutputOptions & { seed: number }): Promise<void> {
  await withFleet(async ({ datasets, call }) => {
    const begin = (signal: AbortSignal) =>
      datasets.synthesizeBrokers({ seed }, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
    report(options, await outcomeOf(begin));
  });
}

async function acceptDay(
  day: string | undefined,
  { reason, ...options }: OutputOptions & { reason: string },
): Promise<void> {
  await withFleet(async ({ datasets, call }) => {
    const begin = (signal: AbortSignal) =>
      datasets.acceptDay({ day, reason }, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
    report(options, await outcomeOf(begin));
  });
}

interface Size {
  version?: string;
  kind: string;
  tickers: number;
  trading_days: number;
  bars: number;
  real_broker_rows: number;
  first_date: string;
  last_date: string;
}

/** The served market, and the one that an import would replace it with. */
interface Shrinkage {
  served: Size;
  imported: Size;
}

/**
 * Runs an import. If it would shrink the served market and the operator at the terminal agrees, runs it again with `mayShrink`.
 * @throws CommandFailure when the operator declines or cannot be asked
 */
async function unlessItShrinks<T>(
  run: (mayShrink: boolean) => Promise<T>,
  { mayShrink, canAsk }: { mayShrink: boolean; canAsk: boolean },
): Promise<T> {
  try {
    return await run(mayShrink);
  } catch (error) {
    const shrinkage = shrinkageOf(error);
    if (!shrinkage) throw error;
    const { message } = error as ServiceError;
    if (!canAsk) throw refused(`${message} On the command line, use --add or --replace.`);
    note(describe(shrinkage));
    if (!(await agrees('Replace it?'))) throw refused('nothing was published.');
  }
  return run(true);
}

function refused(message: string): CommandFailure {
  return new CommandFailure(EXIT.shrinks, message);
}

function shrinkageOf(error: unknown): Shrinkage | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  return error.detail.find(({ type }) => type === 'dataset_shrinks')?.ctx as Shrinkage | undefined;
}

function describe({ served, imported }: Shrinkage): string {
  const rows = [
    ['version', served.version ?? '', 'a new one'],
    ...(
      ['kind', 'tickers', 'trading_days', 'bars', 'real_broker_rows', 'first_date', 'last_date'] as const
    ).map((name) => [name.replaceAll('_', ' '), shown(served[name]), shown(imported[name])]),
  ];
  return [
    'This would shrink the market:',
    '',
    ...textTable(['', 'served now', 'after'], rows).map((line) => `  ${line}`),
    '',
    'To add the bars to the served market instead, use --add. The served version stays until it is pruned.',
  ].join('\n');
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}
