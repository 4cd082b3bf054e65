import type { Command } from 'commander';
import type { Fact, FactsOutcome } from '#proto/saring/market_data/v1/facts.ts';
import { jakartaSecond } from '#foundation/jakarta-time.ts';
import { withFleet } from '../fleet/operator-session.ts';
import { answer, table, type OutputOptions } from '../terminal/output.ts';
import { textOf, Upload } from './upload.ts';
import { outcomeOf } from './import-report.ts';

/** An import takes seconds. After ten minutes something hangs. */
const IMPORT_TIMEOUT_MS = 600_000;

const IMPORT_HELP = `
The file is CSV with the columns ticker, field, value and known_since (YYYY-MM-DD). A value counts from the day since which
it was known until a later one of the same stock; an empty value says that there is none from then on. One mistake in the
file, and nothing is imported.

Declare the fields once, in a JSON list that --fields names: name, type (number, text or boolean), unit, label, source and
null_means, the texts in Indonesian and English. Screens can name them at once, and GET /api/v1/fields lists them.

A row that is there already changes nothing. A row that would change what was known on a past day is refused: state a
correction with the day since which it is known, or give --replace, with which the file has all values of its fields.

Examples:
  saring facts import deploy/examples/facts/facts.csv --fields deploy/examples/facts/fields.json
  saring facts import next-quarter.csv
  saring facts list`;

/** `saring facts …` */
export function addFactsCommands(program: Command): void {
  const facts = program
    .command('facts')
    .description('import values of stocks, such as fundamentals, as fields for screens');
  facts
    .command('import <file>')
    .description('import a CSV table of ticker, field, value and known_since')
    .option('--fields <json-file>', 'declarations of fields that are new or change')
    .option('--replace', 'the file has all values of its fields; earlier ones are removed')
    .addHelpText('after', IMPORT_HELP)
    .action(importFacts);
  facts.command('list').description('the imported fields, and how many values they have').action(list);
  facts
    .command('remove <field>')
    .description('remove a field with all of its values; screens that name it fail from then on')
    .action(remove);
}

interface ImportOptions extends OutputOptions {
  fields?: string;
  replace?: boolean;
}

async function importFacts(
  source: string,
  { fields, replace = false, ...options }: ImportOptions,
): Promise<void> {
  const declarations = fields === undefined ? '' : await textOf(fields);
  const upload = await Upload.of(source);
  const outcome = await withFleet(async ({ facts, call }) => {
    const begin = (signal: AbortSignal) => {
      const messages = upload.messages({ declarations, replaces: replace });
      return facts.importFacts(messages, { ...call, signal, timeoutMs: IMPORT_TIMEOUT_MS });
    };
    return outcomeOf(begin).catch((error: unknown) => {
      throw upload.failure ?? error;
    });
  });
  answer(options, outcome, () => describeOutcome(outcome));
}

function describeOutcome(outcome: FactsOutcome): string {
  const {
    changed,
    rows_read,
    rows_added,
    unknown_tickers,
    unknown_ticker_count: unknown,
    elapsed_ms,
  } = outcome;
  const more = unknown > unknown_tickers.length ? ` and ${unknown - unknown_tickers.length} more` : '';
  return [
    changed.length === 0
      ? `  ✓ unchanged: all ${rows_read} rows were there already`
      : `  ✓ ${rows_added} of ${rows_read} rows are new, in ${(elapsed_ms / 1000).toFixed(1)} s`,
    ...(changed.length === 0 ? [] : [table(changed, COLUMNS)]),
    ...(unknown === 0
      ? []
      : [`The served market has no ${unknown_tickers.join(', ')}${more}. Their values are kept.`]),
  ].join('\n');
}

async function list(options: OutputOptions): Promise<void> {
  const listed = await withFleet(({ facts, call }) => facts.listFacts({}, call));
  answer(options, listed, () => table(listed.facts, COLUMNS, 'No facts are imported.'));
}

async function remove(name: string, options: OutputOptions): Promise<void> {
  const { removed } = await withFleet(({ facts, call }) => facts.removeFact({ name }, call));
  answer(options, { removed }, () => `  ✓ removed ${name} with ${removed?.rows} values`);
}

const COLUMNS: Parameters<typeof table<Fact>>[1] = {
  field: ({ name }) => name,
  type: ({ type }) => type,
  unit: ({ unit }) => unit,
  values: ({ rows }) => rows,
  tickers: ({ tickers }) => tickers,
  'known from': ({ known_from }) => known_from,
  to: ({ known_until }) => known_until,
  'imported (Jakarta)': ({ imported_at }) => imported_at && jakartaSecond(imported_at),
  by: ({ imported_by }) => imported_by || '-',
  source: ({ source }) => source,
};
