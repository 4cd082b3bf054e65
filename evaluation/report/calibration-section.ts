import type { Evaluation } from '../evaluation.ts';
import type { ChanceFigures } from '../statistics/chance-figures.ts';
import { labelsOf, count, percent, plain, withInterval } from './numbers.ts';
import { element, type Markup, tableOf } from './markup.ts';
import { pickModels } from './picks-section.ts';
import type { ReliabilityBin } from '#quant/learning/validation/scoring.ts';
import { axisOver, CHART_WIDTH, drawing, verticalGrid } from './charts.ts';

/** Shows whether names with a chance of 30 % reached the target in 30 of 100 cases. */
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
      `The calibrated chance of every stock a model scored, picked or not, against what happened. AUC is the chance that a name which reached the target was scored above one which did not; .5 is blind. Points of fewer than ${MIN_SHOWN} forecasts are not drawn.`,
    ),
    tableOf({
      caption: 'All scored names, and those above the floors of the runs',
      columns: [
        ['Model', ({ name }) => name],
        ['Names', ({ names }) => names],
        ['Forecasts', ({ figures }) => count(figures.forecasts)],
        ['Mean chance', ({ figures }) => percent(figures.mean_chance)],
        ['Came', ({ figures }) => percent(figures.win_rate)],
        ['Calibration error', ({ figures }) => percent(figures.calibration_error, 2)],
        ['AUC', ({ figures }) => plain(figures.auc, 3)],
        ['AUC within a day', ({ figures }) => plain(figures.auc_within_week, 3)],
      ],
      rows: withChances.flatMap(({ name, chances, chances_above_floors }) => [
        { name, names: 'all', figures: chances },
        { name, names: 'above floors', figures: chances_above_floors },
      ]),
    }),
    tableOf({
      caption:
        'Rank IC: the rank correlation of chances with what names above the floors returned on the same day, mean of the days',
      columns: [
        ['Model', ({ name }) => name],
        ['Days', ({ rank_ic }) => count(rank_ic.days)],
        ['Rank IC (95 %)', ({ rank_ic }) => withInterval(rank_ic.mean, (value) => plain(value, 3))],
        ['Days above 0', ({ rank_ic }) => percent(rank_ic.positive)],
      ],
      rows: withChances,
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

/** A reliability diagram beside its table. */
export function reliability(name: string, { reliability: table }: ChanceFigures): Markup {
  return element(
    'div',
    { class: 'pair' },
    reliabilityChart(name, table),
    tableOf({
      caption: name,
      columns: [
        ['Chance from, to', ({ from, to }) => `${percent(from, 0)} to ${percent(to, 0)}`],
        ['Forecasts', ({ weight }) => count(weight)],
        ['Mean forecast', ({ forecast }) => percent(forecast)],
        ['Came', ({ observed }) => percent(observed)],
      ],
      rows: table,
    }),
  );
}

const [LEFT, TOP, RIGHT] = [44, 24, 16];
const HEIGHT = 300;
const MAX_RADIUS = 11;
const MIN_RADIUS = 2.5;
/** Bins with fewer forecasts appear only in the table, because their frequency is mostly noise. */
const MIN_SHOWN = 30;

/**
 * Forecast on the x axis, observed frequency on the y axis. The area of a point shows its number of forecasts. On the line,
 * forecasts equal frequencies.
 */
export function reliabilityChart(name: string, table: readonly ReliabilityBin[]): Markup {
  const known = table.filter(({ weight }) => weight >= MIN_SHOWN);
  const values = known.flatMap(({ forecast, observed }) => [forecast!, observed!]);
  const axis = axisOver([0, ...values], { start: LEFT, end: CHART_WIDTH - RIGHT });
  const bottom = HEIGHT - 30;
  const [first, last] = [axis.ticks[0]!, axis.ticks.at(-1)!];
  const y = (value: number) => bottom - ((value - first) / (last - first)) * (bottom - TOP);
  const percent = (value: number) => `${Math.round(100 * value)}`;
  const most = Math.max(...known.map(({ weight }) => weight));
  return drawing(
    HEIGHT,
    name,
    ...verticalGrid(axis, TOP, bottom, percent),
    ...axis.ticks.flatMap((tick) => [
      element('line', { class: 'grid', x1: LEFT, x2: CHART_WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
      element('text', { class: 'tick', x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end' }, percent(tick)),
    ]),
    element('line', { class: 'bound', x1: axis.at(first), y1: y(first), x2: axis.at(last), y2: y(last) }),
    ...known.map(({ forecast, observed, weight }) =>
      element('circle', {
        class: 'point',
        cx: axis.at(forecast!),
        cy: y(observed!),
        r: Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(weight / most)),
      }),
    ),
    element(
      'text',
      { class: 'tick', x: CHART_WIDTH - RIGHT, y: HEIGHT - 2, 'text-anchor': 'end' },
      'forecast, %',
    ),
    element('text', { class: 'tick', x: 2, y: 12 }, 'came, %'),
  );
}
