import type { Evaluation, HorizonEvaluation, PickEvaluation } from '../evaluation.ts';
import type { Column } from './markup.ts';
import { pickModels } from './picks-section.ts';
import { count, percent, plain, withInterval } from './numbers.ts';

const hundredths = (value: number | null) => percent(value, 2);

/** A summary of the figures in Markdown, which is also readable on a terminal. */
export function summaryTable(evaluation: Evaluation): string {
  const { dataset, span, labels, models } = evaluation;
  const recoveries = models.filter((model) => model.kind === 'recovery');
  return [
    `\n${dataset.version}, ${span.weeks} weeks from ${span.from} to ${span.to}`,
    ...labels,
    '',
    ...markdown(PICK_COLUMNS, pickModels(evaluation)),
    ...recoveries.flatMap(({ name, horizons }) => ['', ...markdown(skillColumns(name), horizons)]),
    ...models.flatMap((model) =>
      model.kind === 'not_evaluated' ? ['', `${model.name}: ${model.reason}`] : [],
    ),
  ].join('\n');
}

const PICK_COLUMNS: readonly Column<PickEvaluation>[] = [
  ['Model', ({ name }) => name],
  ['Weeks with picks', ({ figures }) => `${count(figures.weeks_with_picks)} of ${count(figures.weeks)}`],
  ['Bought', ({ figures }) => count(figures.picks)],
  ['Not filled', ({ figures }) => count(figures.unfilled)],
  ['Not sold', ({ figures }) => count(figures.unsold)],
  ['Win rate', ({ figures }) => percent(figures.win_rate)],
  ['Base rate', ({ figures }) => percent(figures.base_rate)],
  ['Lift (95 %)', ({ figures }) => withInterval(figures.lift, plain)],
  ['Payoff', ({ figures }) => plain(figures.payoff)],
  ['Net return a pick (95 %)', ({ figures }) => withInterval(figures.net_return, hundredths)],
  ['at the close', ({ figures_at_close }) => hundredths(figures_at_close.net_return.value)],
  ['Calibration error', ({ chances }) => hundredths(chances?.calibration_error ?? null)],
  ['AUC', ({ chances }) => plain(chances?.auc ?? null, 3)],
  [
    'Rank IC (95 %)',
    ({ rank_ic }) => (rank_ic ? withInterval(rank_ic.mean, (value) => plain(value, 3)) : '–'),
  ],
];

const skillColumns = (name: string): readonly Column<HorizonEvaluation>[] => [
  ['Model', () => name],
  ['Horizon', ({ horizon_days }) => `${horizon_days} days`],
  ['Forecasts', ({ figures }) => count(figures.forecasts)],
  ['Brier skill (95 %)', ({ figures }) => withInterval(figures.skill, hundredths)],
  ['Log-loss', ({ figures }) => plain(figures.log_loss, 4)],
  ['of climatology', ({ figures }) => plain(figures.climatology_log_loss, 4)],
];

function markdown<Row>(columns: readonly Column<Row>[], shown: readonly Row[]): string[] {
  if (shown.length === 0) return [];
  const head = columns.map(([title]) => title);
  const rows = shown.map((row) => columns.map(([, cell]) => cell(row)));
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
