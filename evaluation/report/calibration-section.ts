import type { Evaluation } from '../evaluation.ts';
import type { ChanceFigures } from '../statistics/chance-figures.ts';
import { labelsOf } from './labels.ts';
import { element, type Markup } from './markup.ts';
import { count, percent, plain, withInterval } from './numbers.ts';
import { pickModels } from './picks-section.ts';
import { MIN_SHOWN, reliabilityChart } from './reliability-chart.ts';
import { tableOf } from './table.ts';

/** Whether names that were given a chance of 30 % reached the target in 30 of 100 cases. */
export function calibrationSection(evaluation: Evaluation): Markup | undefined {
  const withChances = pickModels(evaluation).flatMap(({ name, chances, chances_above_floors, rank_ic }) =>
    chances && chances_above_floors && rank_ic ? [{ name, chances, chances_above_floors, rank_ic }] : [],
  );
  if (withChances.length === 0) return undefined;
  return element(
    'section',
    {},
    element('h2', {}, 'Calibration'),
    labelsOf(evaluation),
    element(
      'p',
      { class: 'quiet' },
      `The calibrated chance of every name a model scored, picked or not, against what came. AUC is the chance that a name which reached the target was scored above one which did not; .5 is blind. Points of fewer than ${MIN_SHOWN} forecasts are not drawn.`,
    ),
    tableOf({
      caption: 'All scored names, and those above the floors of the runs',
      head: [
        'Model',
        'Names',
        'Forecasts',
        'Mean chance',
        'Came',
        'Calibration error',
        'AUC',
        'AUC within a day',
      ],
      rows: withChances.flatMap(({ name, chances, chances_above_floors }) => [
        [name, 'all', ...chanceCells(chances)],
        [name, 'above floors', ...chanceCells(chances_above_floors)],
      ]),
    }),
    tableOf({
      caption:
        'Rank IC: the rank correlation of chances with what names above the floors returned on the same day, mean of the days',
      head: ['Model', 'Days', 'Rank IC (95 %)', 'Days above 0'],
      rows: withChances.map(({ name, rank_ic }) => [
        name,
        count(rank_ic.days),
        withInterval(rank_ic.mean, (value) => plain(value, 3)),
        percent(rank_ic.positive),
      ]),
    }),
    withChances.map(({ name, chances }) =>
      element(
        'div',
        {},
        element('h3', {}, name),
        reliability(`${name}: chance forecast and share that came`, chances),
      ),
    ),
  );
}

function chanceCells(figures: ChanceFigures): string[] {
  return [
    count(figures.forecasts),
    percent(figures.mean_chance),
    percent(figures.win_rate),
    percent(figures.calibration_error, 2),
    plain(figures.auc, 3),
    plain(figures.auc_within_week, 3),
  ];
}

/** A reliability diagram beside its table. */
export function reliability(name: string, { reliability: table }: ChanceFigures): Markup {
  return element(
    'div',
    { class: 'pair' },
    reliabilityChart(name, table),
    tableOf({
      caption: name,
      head: ['Chance from, to', 'Forecasts', 'Mean forecast', 'Came'],
      rows: table.map(({ from, to, weight, forecast, observed }) => [
        `${percent(from, 0)} to ${percent(to, 0)}`,
        count(weight),
        percent(forecast),
        percent(observed),
      ]),
    }),
  );
}
