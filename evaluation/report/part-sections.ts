import type { Evaluation, Part, PickEvaluation } from '../evaluation.ts';
import type { PickFigures } from '#quant/statistics/pick-figures.ts';
import { labelsOf, count, percent, plain, withInterval } from './numbers.ts';
import { element, type Markup, tableOf } from './markup.ts';
import { pickModels } from './picks-section.ts';
import { axisOver, CHART_WIDTH, drawing, verticalGrid } from './charts.ts';

type PartsOf = (model: PickEvaluation) => Part<PickFigures>[];

/** The same figures by year, by the market's regime and by the exchange's lower limit. */
export function partSections(evaluation: Evaluation): Markup[] {
  if (pickModels(evaluation).length === 0) return [];
  return [
    partSection(evaluation, 'By year', 'Year', ({ by_year }) => by_year),
    partSection(evaluation, 'By regime on the day of the run', 'Regime', ({ by_regime }) => by_regime),
    partSection(
      evaluation,
      'By lower limit on the day of the run',
      'Lower limit',
      ({ by_lower_limit }) => by_lower_limit,
    ),
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
    columns: [
      [of, ({ name }) => name],
      ['Weeks', ({ figures }) => count(figures.weeks)],
      ['Picks', ({ figures }) => count(figures.picks)],
      ['Win rate', ({ figures }) => percent(figures.win_rate)],
      ['Base rate', ({ figures }) => percent(figures.base_rate)],
      ['Lift (95 %)', ({ figures }) => withInterval(figures.lift, plain)],
      ['Payoff', ({ figures }) => plain(figures.payoff)],
      ['Net return a pick', ({ figures }) => percent(figures.net_return.value, 2)],
    ],
    rows: parts,
  });
}

interface PairedChart {
  name: string;
  /** Meaning of the open and the filled mark. */
  legend: { reference: string; measured: string };
  rows: readonly { name: string; reference: number | null; measured: number | null }[];
  written: (value: number) => string;
}

const ROW_HEIGHT = 24;
const TOP = 26;
const LABEL_WIDTH = 88;
const RIGHT = 16;

/** Shows in each row the distance from the expected to the actual value. */
function pairedChart({ name, legend, rows, written }: PairedChart): Markup {
  const drawn = rows.filter(({ reference, measured }) => reference !== null && measured !== null);
  const values = drawn.flatMap(({ reference, measured }) => [reference!, measured!]);
  const axis = axisOver([0, ...values], { start: LABEL_WIDTH, end: CHART_WIDTH - RIGHT });
  const bottom = TOP + drawn.length * ROW_HEIGHT;
  const marks = drawn.map(({ name: of, reference, measured }, i) => {
    const y = TOP + (i + 0.5) * ROW_HEIGHT;
    const [from, to] = [axis.at(reference!), axis.at(measured!)];
    return element(
      'g',
      {},
      element('text', { class: 'name', x: 4, y: y + 4 }, of),
      element('line', { class: 'whisker', x1: from, x2: to, y1: y, y2: y }),
      element('circle', { class: 'reference', cx: from, cy: y, r: 4 }),
      element('circle', { class: 'point', cx: to, cy: y, r: 4.5 }),
    );
  });
  return drawing(
    bottom + 22,
    name,
    ...legendOf(legend),
    ...verticalGrid(axis, TOP, bottom, written),
    ...marks,
  );
}

function legendOf({ reference, measured }: PairedChart['legend']): Markup[] {
  return [
    element('circle', { class: 'reference', cx: LABEL_WIDTH + 4, cy: 10, r: 4 }),
    element('text', { class: 'tick', x: LABEL_WIDTH + 14, y: 14 }, reference),
    element('circle', { class: 'point', cx: LABEL_WIDTH + 134, cy: 10, r: 4.5 }),
    element('text', { class: 'tick', x: LABEL_WIDTH + 144, y: 14 }, measured),
  ];
}
