import type { Estimate } from '#quant/statistics/block-bootstrap.ts';
import { element, type Markup } from './markup.ts';
import { liesAbove } from './numbers.ts';

/** As wide as a phone. All drawings use these units and scale with the page. */
export const CHART_WIDTH = 360;

interface Axis {
  /** Position of a value, in units of the drawing. */
  at: (value: number) => number;
  ticks: number[];
}

/** An axis from `start` to `end` of the drawing that covers all values, with round ticks. */
export function axisOver(values: readonly number[], { start, end }: { start: number; end: number }): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = roundStep((high - low || Math.abs(high) || 1) / 4);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const span = Math.max(1, last - first) * step;
  return {
    at: (value) => start + ((value - first * step) / span) * (end - start),
    ticks: Array.from({ length: Math.max(1, last - first) + 1 }, (_, i) => (first + i) * step),
  };
}

/** Rounds up to 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 2.5, 5, 10].find((step) => step * power >= least * 0.999)!;
}

/** Vertical lines at the ticks, with their values below. */
export function verticalGrid(
  axis: Axis,
  top: number,
  bottom: number,
  written: (value: number) => string,
): Markup[] {
  return axis.ticks.flatMap((tick) => [
    element('line', { class: 'grid', x1: axis.at(tick), x2: axis.at(tick), y1: top, y2: bottom }),
    element(
      'text',
      { class: 'tick', x: axis.at(tick), y: bottom + 14, 'text-anchor': 'middle' },
      written(tick),
    ),
  ]);
}

/** A drawing with a name for readers who cannot see it. */
export function drawing(height: number, name: string, ...children: Markup[]): Markup {
  const viewBox = `0 0 ${CHART_WIDTH} ${height}`;
  return element('svg', { viewBox, role: 'img', 'aria-label': name }, element('title', {}, name), children);
}

interface IntervalChart {
  name: string;
  rows: readonly { name: string; estimate: Estimate }[];
  /** A figure is meaningful only above this bound. */
  bound: number;
  boundName: string;
  written: (value: number) => string;
}

const ROW_HEIGHT = 38;
const TOP = 22;
const SIDE = 14;

/** A point with its interval in each row. The point is filled if the whole interval is above the bound. */
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
