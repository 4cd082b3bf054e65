import { type Command, Option } from 'commander';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, examples, table, type OutputOptions } from '../terminal/output.ts';
import { addImportCommands } from './dataset-import.ts';
import { describeDataset, describeRefusedRow } from './import-report.ts';
import { wholeNumber, numberFromOne } from '../terminal/option-values.ts';
import type { ServedDataset, Broker } from '#proto/saring/market_data/v1/datasets.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { csvLine, spreadsheetCell } from '#foundation/text/csv.ts';

/** `saring dataset …` */
export function addDatasetCommands(program: Command): void {
  const dataset = program.command('dataset').description('import market data and show its versions');
  addImportCommands(dataset);
  dataset.command('show').description('the version in use').action(show);
  dataset
    .command('list')
    .description('every version, newest first, with a mark at the served one')
    .action(list);
  addServedCommands(dataset);
  addPruneCommand(dataset);
  addBrokersCommand(dataset);
  dataset
    .command('rejected')
    .description('rows that an import refused, with file, line and reason')
    .option('--version <version>', 'version, as `dataset list` shows it (default: the served one)', '')
    .option('--limit <n>', 'at most this many, 1 to 1000', wholeNumber, 50)
    .addHelpText(...examples('dataset rejected --version real-20240628-1 --limit 10'))
    .action(rejected);
}

async function show(options: OutputOptions): Promise<void> {
  const { dataset, data_loaded, lost_version } = await withFleet(({ datasets, call }) =>
    datasets.getCurrentDataset({}, call),
  );
  answer(options, { dataset: dataset ?? null, data_loaded, lost_version }, () =>
    [
      ...(lost_version ? [lostLine(lost_version)] : []),
      ...(dataset ? [`${describeDataset(dataset)}${data_loaded ? '' : ', not in memory yet'}`] : []),
      ...(lost_version || dataset ? [] : ['No dataset is published yet.']),
    ].join('\n'),
  );
}

async function list(options: OutputOptions): Promise<void> {
  const listed = await withFleet((session) => session.datasets.listDatasets({}, session.call));
  const { datasets, served_version } = listed;
  const isLost = served_version !== '' && datasets.every(({ version }) => version !== served_version);
  answer(options, listed, () =>
    [
      table(datasets, {
        served: ({ version }) => (version === served_version ? '→' : ''),
        version: ({ version }) => version,
        kind: ({ kind }) => kind,
        from: ({ first_date }) => first_date,
        to: ({ last_date }) => last_date,
        tickers: ({ tickers }) => tickers,
        bars: ({ bars }) => bars,
        brokers: ({ broker_data }) => broker_data,
        refused: ({ rejected_rows }) => rejected_rows,
        source: ({ source }) => source,
      }),
      ...(isLost ? [lostLine(served_version)] : []),
    ].join('\n'),
  );
}

function lostLine(version: string): string {
  return `${version} should be served, but is missing from the store. Restore it, or serve another version: saring dataset use <version>`;
}

interface RejectedOptions extends OutputOptions {
  version: string;
  limit: number;
}

async function rejected({ version, limit, ...options }: RejectedOptions): Promise<void> {
  const refused = await withFleet(({ datasets, call }) =>
    datasets.listRejectedRows({ version, limit }, call),
  );
  answer(options, refused, () =>
    refused.rows.length === 0
      ? `The import of ${refused.version} refused no row. An import that changes nothing lists its refused rows itself.`
      : refused.rows.map(describeRefusedRow).join('\n'),
  );
}

/** The service takes up to ten seconds until it serves the version. */
const USE_TIMEOUT_MS = 30_000;

const USE_HELP = `
Goes back to an older version that has not been pruned, or forward to a newer one. It is served without a restart. From
then on, new days are added to it. 'saring dataset history' shows who chose it and why.

Examples:
  saring dataset use real-20240628-1 --reason 'prices of 1 July were wrong'
  saring dataset history`;

/** `saring dataset use` and `history` */
function addServedCommands(dataset: Command): void {
  dataset
    .command('use <version>')
    .description('serve another version; `dataset list` shows them all')
    .option('--reason <text>', 'why, for the history', '')
    .addHelpText('after', USE_HELP)
    .action(use);
  dataset
    .command('history')
    .description('which versions were served since when, and who chose them, newest first')
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 50)
    .action(history);
}

async function use(
  version: string,
  { reason, ...options }: OutputOptions & { reason: string },
): Promise<void> {
  const used = await withFleet(({ datasets, call }) =>
    datasets.useDataset({ version, reason }, { ...call, timeoutMs: USE_TIMEOUT_MS }),
  );
  const { dataset, version_before, data_loaded } = used;
  answer(options, used, () => {
    const before = version_before === version ? 'already served' : `previously ${version_before || 'none'}`;
    return `  ✓ ${dataset ? describeDataset(dataset) : version}${data_loaded ? '' : ', not in memory yet'}; ${before}`;
  });
}

async function history({ limit, ...options }: OutputOptions & { limit: number }): Promise<void> {
  const document = await withFleet(({ datasets, call }) => datasets.listServedDatasets({ limit }, call));
  answer(options, document, () => servedText(document.served));
}

function servedText(served: ServedDataset[]): string {
  return table(
    served,
    {
      'since (Jakarta)': ({ served_at }) => served_at && jakartaSecond(served_at),
      version: ({ version, is_published }) => (is_published ? version : `${version} (removed)`),
      by: ({ actor }) => actor || '-',
      action: ({ action }) => action,
      reason: ({ reason }) => reason,
    },
    'No version has been served yet.',
  );
}

/** Versions are removed one at a time, each with millions of rows. */
const PRUNE_TIMEOUT_MS = 300_000;

/** `saring dataset prune` */
function addPruneCommand(dataset: Command): void {
  dataset
    .command('prune')
    .description('remove old versions with their rows; the served version stays')
    .requiredOption('--keep <n>', 'how many of the newest versions to keep, at least 1', numberFromOne)
    .addHelpText(
      'after',
      `
Every import publishes a new version. Older versions stay until this command removes them. Broker rows that versions share
are removed with the last of these versions.

Example:
  saring dataset prune --keep 5`,
    )
    .action(prune);
}

async function prune({ keep, ...options }: OutputOptions & { keep: number }): Promise<void> {
  const { removed } = await withFleet(({ datasets, call }) =>
    datasets.pruneDatasets({ keep, stay: [] }, { ...call, timeoutMs: PRUNE_TIMEOUT_MS }),
  );
  answer(options, { removed }, () =>
    removed.length > 0 ? removed.map((version) => `  ✓ removed ${version}`).join('\n') : 'Nothing to remove.',
  );
}

/** `saring dataset brokers` */
function addBrokersCommand(dataset: Command): void {
  dataset
    .command('brokers')
    .description('the broker table of a version: names and classes')
    .option('--version <version>', 'version, as `dataset list` shows it (default: the served one)', '')
    .addOption(new Option('--csv', 'as a CSV file that you can edit and import').conflicts('json'))
    .addHelpText(
      'after',
      '\nExample:\n  saring dataset brokers --csv > brokers.csv    # then edit it, and\n  saring dataset import brokers.csv',
    )
    .action(showBrokers);
}

interface BrokersOptions extends OutputOptions {
  version: string;
  csv?: boolean;
}

async function showBrokers({ version, csv, ...options }: BrokersOptions): Promise<void> {
  const table = await withFleet(({ datasets, call }) => datasets.listBrokers({ version }, call));
  answer(options, table, () => (csv ? asCsv(table.brokers) : asText(table.brokers)));
}

function asCsv(brokers: Broker[]): string {
  return [
    csvLine(['code', 'name', 'is_retail', 'is_foreign']),
    ...brokers.map(({ code, name, is_retail, is_foreign }) =>
      csvLine([code, spreadsheetCell(name), Number(is_retail), Number(is_foreign)]),
    ),
  ].join('\n');
}

function asText(brokers: Broker[]): string {
  return table(brokers, {
    code: ({ code }) => code,
    class: ({ is_retail, is_foreign }) =>
      is_retail ? 'retail' : is_foreign ? 'foreign' : 'local institution',
    name: ({ name }) => name,
  });
}
