import type { Evaluation, PickEvaluation } from '../evaluation.ts';
import { intervalChart } from './charts.ts';
import { labelsOf, count, percent, plain, withInterval } from './numbers.ts';
import { element, type Markup, tableOf } from './markup.ts';

export function pickModels({ models }: Pick<Evaluation, 'models'>): PickEvaluation[] {
  return models.filter((model) => model.kind === 'picks');
}

/** Lift, payoff and returns of every model that picks stocks. */
export function picksSection(evaluation: Evaluation): Markup | undefined {
  const models = pickModels(evaluation);
  if (models.length === 0) return undefined;
  return element(
    'section',
    {},
    element('h2', {}, 'Picks'),
    labelsOf(evaluation),
    element(
      'p',
      { class: 'quiet' },
      'Lift is the share of picks that reached the target before the stop, over that of all names which passed the same run’s floors of price and value on the same days. 1 is as good as blind. A full point is one whose whole interval lies above 1.',
    ),
    element(
      'div',
      { class: 'pair' },
      intervalChart({
        name: 'Lift of each model with its 95 % interval',
        rows: models.map(({ name, figures }) => ({ name, estimate: figures.lift })),
        bound: 1,
        boundName: 'blind',
        written: (value) => plain(value, 2),
      }),
      picksTable(models),
    ),
    returnsTable(models),
    atCloseTable(models),
  );
}

/** The figures that an impossible entry at the analysed close would have given. */
function atCloseTable(models: readonly PickEvaluation[]): Markup {
  return tableOf({
    caption:
      'For comparison only: the same picks bought at the close that was analysed. Results come after that close',
    head: ['Model', 'Lift (95 %)', 'Net return a pick (95 %)', 'Net return as a reader can buy'],
    rows: models.map(({ name, figures, figures_at_close }) => [
      name,
      withInterval(figures_at_close.lift, plain),
      withInterval(figures_at_close.net_return, (value) => percent(value, 2)),
      percent(figures.net_return.value, 2),
    ]),
  });
}

function picksTable(models: readonly PickEvaluation[]): Markup {
  return tableOf({
    caption: 'Wins against what blind picks from the same names would have won',
    head: [
      'Model',
      'Weeks',
      'With picks',
      'Bought',
      'Not filled',
      'Not sold',
      'Win rate',
      'Base rate',
      'Lift (95 %)',
    ],
    rows: models.map(({ name, figures }) => [
      name,
      count(figures.weeks),
      count(figures.weeks_with_picks),
      count(figures.picks),
      count(figures.unfilled),
      count(figures.unsold),
      percent(figures.win_rate),
      percent(figures.base_rate),
      withInterval(figures.lift, plain),
    ]),
  });
}

function returnsTable(models: readonly PickEvaluation[]): Markup {
  return tableOf({
    caption: 'After costs: what a pick returned, and by how much that was more than a blind one',
    head: [
      'Model',
      'Payoff',
      'Net return a pick (95 %)',
      'More than blind (95 %)',
      'Promised win rate',
      'Promised payoff',
      'Failed runs',
      'Median run',
    ],
    rows: models.map(({ name, figures, promised, runs }) => [
      name,
      plain(figures.payoff),
      withInterval(figures.net_return, (value) => percent(value, 2)),
      withInterval(figures.excess_net_return, (value) => percent(value, 2)),
      percent(promised?.win_rate ?? null),
      plain(promised?.payoff ?? null),
      count(runs.failed.length),
      `${plain(runs.median_ms, 0)} ms`,
    ]),
  });
}
