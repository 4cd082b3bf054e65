import type { Command } from 'commander';
import { terminalText } from '#shared/text/terminal-text.ts';
import { textTable } from '#shared/text/text-table.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { addBrokersCommand } from './dataset-brokers.ts';
import { addImportCommands } from './dataset-import.ts';
import { addPruneCommand } from './dataset-prune.ts';
import { addServedCommands } from './dataset-served.ts';
import { describeDataset } from './import-report.ts';
import { wholeNumber } from './numbers.ts';

/** `saring dataset …` */
export function addDatasetCommands(program: Command): void {
  const dataset = program.command('dataset').description('import market data and look at its versions');
  const json = ['--json', 'one JSON document'] as const;
  addImportCommands(dataset);
  dataset
    .command('show')
    .description('the version in use')
    .option(...json)
    .action(show);
  dataset
    .command('list')
    .description('every version, newest first; the one that is served is marked')
    .option(...json)
    .action(list);
  addServedCommands(dataset);
  addPruneCommand(dataset);
  addBrokersCommand(dataset);
  dataset
    .command('rejected')
    .description('rows that an import refused, with file, line and reason')
    .option('--version <version>', 'version, as `dataset list` shows it (default: the served one)', '')
    .option('--limit <n>', 'at most this many, 1 to 1000', wholeNumber, 50)
    .option(...json)
    .addHelpText('after', '\nExample:\n  saring dataset rejected --version real-20240628-1 --limit 10')
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
      ...textTable(
        ['served', 'version', 'kind', 'from', 'to', 'tickers', 'bars', 'brokers', 'refused', 'source'],
        datasets.map((row) => [
          row.version === served_version ? '→' : '',
          row.version,
          row.kind,
          row.first_date,
          row.last_date,
          row.tickers,
          row.bars,
          row.broker_data,
          row.rejected_rows,
          row.source,
        ]),
      ),
      ...(isLost ? [lostLine(served_version)] : []),
    ].join('\n'),
  );
}

function lostLine(version: string): string {
  return `${version} is to be served and is missing from the store. Restore it, or serve another version: saring dataset use <version>`;
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
      : rows
          .map(
            ({ file, line, reason, text }) =>
              `${terminalText(`${file}:${line}: ${reason}`)}\n    ${terminalText(text)}`,
          )
          .join('\n'),
  );
}
