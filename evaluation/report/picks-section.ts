import type { Estimate } from '#quant/statistics/block-bootstrap.ts';
import type { Evaluation, PickEvaluation } from '../evaluation.ts';
import { intervalChart } from './charts.ts';
import { labelsOf, count, percent, plain, withInterval } from './numbers.ts';
import { element, type Markup, tableOf } from './markup.ts';

const ofReturn = (figure: Estimate) => withInterval(figure, (value) => percent(value, 2));

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
    columns: [
      ['Model', ({ name }) => name],
      ['Lift (95 %)', ({ figures_at_close }) => withInterval(figures_at_close.lift, plain)],
      ['Net return a pick (95 %)', ({ figures_at_close }) => ofReturn(figures_at_close.net_return)],
      ['Net return as a reader can buy', ({ figures }) => percent(figures.net_return.value, 2)],
    ],
    rows: models,
  });
}

function picksTable(models: readonly PickEvaluation[]): Markup {
  return tableOf({
    caption: 'Wins against what blind picks from the same names would have won',
    columns: [
      ['Model', ({ name }) => name],
      ['Weeks', ({ figures }) => count(figures.weeks)],
      ['With picks', ({ figures }) => count(figures.weeks_with_picks)],
      ['Bought', ({ figures }) => count(figures.picks)],
      ['Not filled', ({ figures }) => count(figures.unfilled)],
      ['Not sold', ({ figures }) => count(figures.unsold)],
      ['Win rate', ({ figures }) => percent(figures.win_rate)],
      ['Base rate', ({ figures }) => percent(figures.base_rate)],
      ['Lift (95 %)', ({ figures }) => withInterval(figures.lift, plain)],
    ],
    rows: models,
  });
}

function returnsTable(models: readonly PickEvaluation[]): Markup {
  return tableOf({
    caption: 'After costs: what a pick returned, and by how much that was more than a blind one',
    columns: [
      ['Model', ({ name }) => name],
      ['Payoff', ({ figures }) => plain(figures.payoff)],
      ['Net return a pick (95 %)', ({ figures }) => ofReturn(figures.net_return)],
      ['More than blind (95 %)', ({ figures }) => ofReturn(figures.excess_net_return)],
      ['Promised win rate', ({ promised }) => percent(promised?.win_rate ?? null)],
      ['Promised payoff', ({ promised }) => plain(promised?.payoff ?? null)],
      ['Failed runs', ({ runs }) => count(runs.failed.length)],
      ['Median run', ({ runs }) => `${plain(runs.median_ms, 0)} ms`],
    ],
    rows: models,
  });
}
