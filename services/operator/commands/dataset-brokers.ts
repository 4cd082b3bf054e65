import { Option, type Command } from 'commander';
import type { Broker } from '#proto/saring/market_data/v1/datasets.ts';
import { csvLine } from '#shared/text/csv.ts';
import { textTable } from '#shared/text/text-table.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';

/** `saring dataset brokers` */
export function addBrokersCommand(dataset: Command): void {
  dataset
    .command('brokers')
    .description('the broker table of a version: names and classes')
    .option('--version <version>', 'version, as `dataset list` shows it (default: the served one)', '')
    .addOption(new Option('--csv', 'as a file that can be edited and imported').conflicts('json'))
    .option('--json', 'one JSON document')
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
      csvLine([code, name, Number(is_retail), Number(is_foreign)]),
    ),
  ].join('\n');
}

function asText(brokers: Broker[]): string {
  const classOf = ({ is_retail, is_foreign }: Broker) =>
    is_retail ? 'retail' : is_foreign ? 'foreign' : 'local institution';
  return textTable(
    ['code', 'class', 'name'],
    brokers.map((broker) => [broker.code, classOf(broker), broker.name]),
  ).join('\n');
}
