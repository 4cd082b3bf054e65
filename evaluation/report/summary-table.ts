import type { Evaluation, PickEvaluation, RecoveryEvaluation } from '../evaluation.ts';
import { pickModels } from './picks-section.ts';
import { count, percent, plain, withInterval } from './numbers.ts';

/** A summary of the figures in Markdown, which is also readable on a terminal. */
export function summaryTable(evaluation: Evaluation): string {
  const { dataset, span, labels, models } = evaluation;
  const recoveries = models.filter((model) => model.kind === 'recovery');
  return [
    `\n${dataset.version}, ${span.weeks} weeks from ${span.from} to ${span.to}`,
    ...labels,
    '',
    ...markdown(PICK_HEAD, pickModels(evaluation).map(pickRow)),
    ...recoveries.flatMap((model) => ['', ...markdown(SKILL_HEAD, skillRows(model))]),
    ...models.flatMap((model) =>
      model.kind === 'not_evaluated' ? ['', `${model.name}: ${model.reason}`] : [],
    ),
  ].join('\n');
}

const PICK_HEAD = [
  'Model',
  'Weeks with picks',
  'Bought',
  'Not filled',
  'Not sold',
  'Win rate',
  'Base rate',
  'Lift (95 %)',
  'Payoff',
  'Net return a pick (95 %)',
  'at the close',
  'Calibration error',
  'AUC',
  'Rank IC (95 %)',
];

function pickRow({ name, figures, figures_at_close, chances, rank_ic }: PickEvaluation): string[] {
  return [
    name,
    `${count(figures.weeks_with_picks)} of ${count(figures.weeks)}`,
    count(figures.picks),
    count(figures.unfilled),
    count(figures.unsold),
    percent(figures.win_rate),
    percent(figures.base_rate),
    withInterval(figures.lift, plain),
    plain(figures.payoff),
    withInterval(figures.net_return, (value) => percent(value, 2)),
    percent(figures_at_close.net_return.value, 2),
    percent(chances?.calibration_error ?? null, 2),
    plain(chances?.auc ?? null, 3),
    rank_ic ? withInterval(rank_ic.mean, (value) => plain(value, 3)) : '–',
  ];
}

const SKILL_HEAD = ['Model', 'Horizon', 'Forecasts', 'Brier skill (95 %)', 'Log-loss', 'of climatology'];

function skillRows({ name, horizons }: RecoveryEvaluation): string[][] {
  return horizons.map(({ horizon_days, figures }) => [
    name,
    `${horizon_days} days`,
    count(figures.forecasts),
    withInterval(figures.skill, (value) => percent(value, 2)),
    plain(figures.log_loss, 4),
    plain(figures.climatology_log_loss, 4),
  ]);
}

export function markdown(head: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
