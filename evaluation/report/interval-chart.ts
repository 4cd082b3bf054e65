import type { Estimate } from '#quant/statistics/block-bootstrap.ts';
import { axisOver, CHART_WIDTH, drawing, verticalGrid } from './axis.ts';
import { liesAbove } from './numbers.ts';
import { element, type Markup } from './markup.ts';

interface IntervalChart {
  name: string;
  rows: readonly { name: string; estimate: Estimate }[];
  /** What a figure has to lie above to mean something. */
  bound: number;
  boundName: string;
  written: (value: number) => string;
}

const ROW_HEIGHT = 38;
const TOP = 22;
const SIDE = 14;

/** A point with its interval in each row; a full point where the interval lies above the bound. */
export function intervalChart({ name, rows, bound, boundName, written }: IntervalChart): Markup {
  const drawn = rows.filter(({ estimate }) => estimate.value !== null);
  const values = drawn.flatMap(({ estimate: { value, low, high } }) => [
    value!,
    low ?? value!,
    high ?? value!,
  ]);
  const axis = axisOver([bound, ...values], { start: SIDE, end: CHART_WIDTH - SIDE });
  const bottom = TOP + drawn.length * ROW_HEIGHT;
  const marks = drawn.map(({ name: of, estimate }, i) => {
    const y = TOP + i * ROW_HEIGHT + 26;
    const { value, low, high } = estimate;
    return element(
      'g',
      {},
      element('text', { class: 'name', x: SIDE, y: y - 10 }, of),
      low === null
        ? undefined
        : element('line', { class: 'whisker', x1: axis.at(low), x2: axis.at(high!), y1: y, y2: y }),
      element('circle', {
        class: liesAbove(estimate, bound) ? 'point' : 'point open',
        r: 4.5,
        cx: axis.at(value!),
        cy: y,
      }),
    );
  });
  return drawing(
    bottom + 22,
    name,
    ...verticalGrid(axis, TOP, bottom, written),
    element('line', { class: 'bound', x1: axis.at(bound), x2: axis.at(bound), y1: TOP - 6, y2: bottom }),
    element('text', { class: 'tick', x: axis.at(bound), y: TOP - 10, 'text-anchor': 'middle' }, boundName),
    ...marks,
  );
}
