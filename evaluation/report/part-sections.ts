import type { Evaluation, Part, PickEvaluation } from '../evaluation.ts';
import type { PickFigures } from '#quant/statistics/pick-figures.ts';
import { labelsOf } from './labels.ts';
import { element, type Markup } from './markup.ts';
import { count, percent, plain, withInterval } from './numbers.ts';
import { pairedChart } from './paired-chart.ts';
import { pickModels } from './picks-section.ts';
import { tableOf } from './table.ts';

type PartsOf = (model: PickEvaluation) => Part<PickFigures>[];

/** The same figures by year and by the market's condition. */
export function partSections(evaluation: Evaluation): Markup[] {
  if (pickModels(evaluation).length === 0) return [];
  return [
    partSection(evaluation, 'By year', 'Year', ({ by_year }) => by_year),
    partSection(evaluation, 'By regime on the day of the run', 'Regime', ({ by_regime }) => by_regime),
  ];
}

function partSection(evaluation: Evaluation, title: string, of: string, partsOf: PartsOf): Markup {
  const models = pickModels(evaluation).map((model) =>
    element(
      'div',
      {},
      element('h3', {}, model.name),
      element(
        'div',
        { class: 'pair' },
        pairedChart({
          name: `${model.name}: win rate of blind picks and of its own, ${title.toLowerCase()}`,
          legend: { reference: 'base rate, %', measured: 'win rate, %' },
          rows: partsOf(model).map(({ name, figures }) => ({
            name,
            reference: figures.base_rate,
            measured: figures.win_rate,
          })),
          written: (value) => plain(100 * value, 0),
        }),
        partTable(model.name, of, partsOf(model)),
      ),
    ),
  );
  return element('section', {}, element('h2', {}, title), labelsOf(evaluation), models);
}

function partTable(model: string, of: string, parts: readonly Part<PickFigures>[]): Markup {
  return tableOf({
    caption: model,
    head: [of, 'Weeks', 'Picks', 'Win rate', 'Base rate', 'Lift (95 %)', 'Payoff', 'Net return a pick'],
    rows: parts.map(({ name, figures }) => [
      name,
      count(figures.weeks),
      count(figures.picks),
      percent(figures.win_rate),
      percent(figures.base_rate),
      withInterval(figures.lift, plain),
      plain(figures.payoff),
      percent(figures.net_return.value, 2),
    ]),
  });
}
