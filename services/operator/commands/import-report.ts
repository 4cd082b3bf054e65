import type { Dataset, ImportOutcome, ImportProgress } from '#proto/saring/market_data/v1/datasets.ts';
import { ServiceError } from '#shared/service-error.ts';
import { terminalText } from '#shared/text/terminal-text.ts';
import { textTable, type Cell } from '#shared/text/text-table.ts';
import { answer, type OutputOptions } from '../output.ts';
import { clock, ProgressLine } from '../progress-line.ts';

type ImportEvent = {
  event?:
    { $case: 'progress'; value: ImportProgress } | { $case: 'outcome'; value: ImportOutcome } | undefined;
};

/** Shows the progress of an import until its outcome. */
export async function outcomeOf(events: AsyncIterable<ImportEvent>): Promise<ImportOutcome> {
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

/** Prints what came of an import: the version, which rows it refused, and what to know of those that stay. */
export function report(options: OutputOptions, outcome: ImportOutcome): void {
  const { dataset, rejections, findings, unchanged, elapsed_ms, broker_table } = outcome;
  answer(options, outcome, () => {
    const head = `  ✓ ${dataset ? describeDataset(dataset) : ''}${unchanged ? ', unchanged' : ''}`;
    return [
      `${head}   ${clock(elapsed_ms)}`,
      ...(broker_table
        ? [`    broker table: ${broker_table.brokers} brokers, ${broker_table.brokers_before} before`]
        : []),
      ...countTable(
        ['rows refused', 'reason', 'first at'],
        rejections.map(({ rows, reason, first_at }) => [rows, reason, first_at]),
      ),
      ...countTable(
        ['times', 'found in rows that stay', 'first at'],
        findings.map(({ count, finding, first_at }) => [count, finding, first_at]),
      ),
    ].join('\n');
  });
}

/** A version in one line. */
export function describeDataset({ version, kind, tickers, bars, ...dataset }: Dataset): string {
  const label = kind === 'synthetic' ? 'SYNTHETIC' : kind;
  const { first_date, last_date, source } = dataset;
  const size = `${tickers} tickers, ${bars.toLocaleString('en')} bars, ${first_date} to ${last_date}`;
  return terminalText(
    `dataset ${version} (${label}): ${size}, ${describeBrokerRows(dataset)}, from ${source}`,
  );
}

type BrokerRows = Pick<
  Dataset,
  'broker_data' | 'broker_rows' | 'broker_first_date' | 'broker_last_date' | 'broker_seed'
>;

function describeBrokerRows({ broker_data, broker_rows, broker_seed, ...days }: BrokerRows): string {
  if (broker_data === 'none') return 'no broker rows';
  const label = broker_data === 'synthetic' ? 'SYNTHETIC' : broker_data;
  const span = `${days.broker_first_date} to ${days.broker_last_date}`;
  const seed = broker_seed === undefined ? '' : ` (seed ${broker_seed})`;
  return `${broker_rows.toLocaleString('en')} ${label} broker rows${seed}, ${span}`;
}

/** Lines of a table that begins with a count, set off from what stands above; none without rows. */
function countTable(head: string[], rows: [count: number, ...rest: Cell[]][]): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(([count, ...rest]) => [count.toLocaleString('en'), ...rest]);
  return ['', ...textTable(head, cells).map((line) => `  ${line}`)];
}
