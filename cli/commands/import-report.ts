import type {
  Dataset,
  ImportOutcome,
  ImportProgress,
  RejectedRow,
} from '#proto/saring/market_data/v1/datasets.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { terminalText } from '#foundation/text/terminal-text.ts';
import { textTable, type Cell } from '#foundation/text/text-table.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { answer, type OutputOptions } from '../terminal/output.ts';

/** Services report progress at least every two seconds. A service that is silent for longer than this hangs. */
const MAX_SILENCE_MS = 30_000;
const PLAIN_LINE_EVERY_MS = 2_000;

type ImportEvent<Outcome> = {
  event?: { $case: 'progress'; value: ImportProgress } | { $case: 'outcome'; value: Outcome } | undefined;
};

/** Starts an import and shows its progress until its outcome, or until it has been silent for too long. */
export async function outcomeOf<Outcome>(
  begin: (signal: AbortSignal) => AsyncIterable<ImportEvent<Outcome>>,
): Promise<Outcome> {
  const progress = new ProgressLine();
  try {
    for await (const { event } of notSilent(begin)) {
      if (event?.$case === 'progress') progress.show(event.value);
      if (event?.$case === 'outcome') return event.value;
    }
  } finally {
    progress.clear();
  }
  throw new ServiceError('internal_error', 'the import ended without an outcome');
}

/** The messages of a call. Cancels the call when none has come for too long. */
export async function* notSilent<Message>(
  begin: (signal: AbortSignal) => AsyncIterable<Message>,
  longestSilenceMs = MAX_SILENCE_MS,
): AsyncGenerator<Message> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), longestSilenceMs);
  try {
    for await (const message of begin(silence.signal)) {
      timer.refresh();
      yield message;
    }
  } catch (error) {
    if (!silence.signal.aborted) throw error;
    const seconds = longestSilenceMs / 1_000;
    throw new CommandFailure(
      EXIT.noFleet,
      `the service has been silent for ${seconds} s. The import is given up, and nothing is published.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Shows the progress of an import: a line that is rewritten on a terminal, otherwise a new line now and then. */
class ProgressLine {
  #lastPlainLineAt = -Infinity;
  #lastStep = '';

  show({ step, rows_read, elapsed_ms }: ImportProgress): void {
    const rows = rows_read > 0 ? `, ${rows_read.toLocaleString('en')} rows` : '';
    const line = terminalText(`  … ${step}${rows}   ${clock(elapsed_ms)}`);
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\x1b[K${line}`);
    } else if (step !== this.#lastStep || performance.now() - this.#lastPlainLineAt > PLAIN_LINE_EVERY_MS) {
      process.stderr.write(`${line}\n`);
      this.#lastPlainLineAt = performance.now();
    }
    this.#lastStep = step;
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}

/**
 * The seconds at the end of a line. When a starting fleet runs this command, they count from the fleet's start, like the
 * fleet's own lines. Otherwise they count from the start of the import.
 */
export function clock(
  importElapsedMs: number,
  { SARING_FLEET_STARTED_AT_MS: fleetStartedAtMs } = process.env,
  nowMs = Date.now(),
): string {
  const elapsedMs = fleetStartedAtMs ? nowMs - Number(fleetStartedAtMs) : importElapsedMs;
  return `${(elapsedMs / 1000).toFixed(1)} s`;
}

/** Prints the outcome of an import: the version, the refused rows, and the findings about the accepted rows. */
export function report(options: OutputOptions, outcome: ImportOutcome): void {
  const { dataset, rejections, findings, unchanged, elapsed_ms, broker_table, action_table } = outcome;
  answer(options, outcome, () => {
    const head = `  ✓ ${dataset ? describeDataset(dataset) : ''}${unchanged ? ', unchanged' : ''}`;
    return [
      `${head}   ${clock(elapsed_ms)}`,
      ...unstored(outcome),
      ...(broker_table
        ? [`    broker table: ${broker_table.brokers} brokers, ${broker_table.brokers_before} before`]
        : []),
      ...(action_table
        ? [`    corporate actions: ${action_table.actions} actions, ${action_table.actions_before} before`]
        : []),
      ...countTable(
        ['rows refused', 'reason', 'first at'],
        rejections.map(({ rows, reason, first_at }) => [rows, reason, first_at]),
      ),
      ...countTable(
        ['times', 'found in accepted rows', 'first at'],
        findings.map(({ count, finding, first_at }) => [count, finding, first_at]),
      ),
    ].join('\n');
  });
}

/** The refused rows of an upload that changed nothing. They are not stored, so `dataset rejected` cannot list them. */
function unstored({ rejections, unstored_rows }: ImportOutcome): string[] {
  if (unstored_rows.length === 0) return [];
  const count = rejections.reduce((sum, { rows }) => sum + rows, 0);
  const rows = count === 1 ? '1 refused row is' : `${count.toLocaleString('en')} refused rows are`;
  const first = unstored_rows.length < count ? `. The first ${unstored_rows.length}` : '';
  return [
    '    Nothing is published, because this version has everything else already.',
    `    ${rows} not stored${first}:`,
    ...unstored_rows.flatMap((row) => describeRefusedRow(row).split('\n')).map((line) => `    ${line}`),
  ];
}

/** A refused row in two lines: its place with the reason, and its text. */
export function describeRefusedRow({ file, line, reason, text }: RejectedRow): string {
  return `${terminalText(`${file}:${line}: ${reason}`)}\n    ${terminalText(text)}`;
}

/** A version in one line. */
export function describeDataset({ version, kind, tickers, bars, ...dataset }: Dataset): string {
  const label = kind === 'synthetic' ? 'SYNTHETIC' : kind;
  const { first_date, last_date, whole_until, source } = dataset;
  const size = `${tickers} tickers, ${bars.toLocaleString('en')} bars, ${first_date} to ${last_date}${partialNote({ last_date, whole_until })}`;
  return terminalText(
    `dataset ${version} (${label}): ${size}, ${describeBrokerRows(dataset)}, from ${source}`,
  );
}

/** What to do about partial days at the end of a version; empty if there are none. */
export function partialNote({ last_date, whole_until }: Pick<Dataset, 'last_date' | 'whole_until'>): string {
  if (!whole_until || whole_until === last_date) return '';
  return ` (partial after ${whole_until}; if it is whole: saring dataset accept-day ${last_date})`;
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

/** An indented table whose first column is a count, with an empty line above it. No lines when there are no rows. */
function countTable(head: string[], rows: [count: number, ...rest: Cell[]][]): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(([count, ...rest]) => [count.toLocaleString('en'), ...rest]);
  return ['', ...textTable(head, cells).map((line) => `  ${line}`)];
}
