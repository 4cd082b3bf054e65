import { element, type Markup } from './markup.ts';

/** As wide as a phone; everything is drawn in these units and grows with the page. */
export const CHART_WIDTH = 360;

interface Axis {
  /** Where a value lies, in units of the drawing. */
  at: (value: number) => number;
  ticks: number[];
}

/** An axis from `start` to `end` of the drawing over all values, with round ticks. */
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

/** The next of 1, 2, 2.5 and 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 2.5, 5, 10].find((step) => step * power >= least * 0.999)!;
}

/** Lines down from each tick, with their values below. */
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

/** A drawing with a name for those who cannot see it. */
export function drawing(height: number, name: string, ...children: Markup[]): Markup {
  const viewBox = `0 0 ${CHART_WIDTH} ${height}`;
  return element('svg', { viewBox, role: 'img', 'aria-label': name }, element('title', {}, name), children);
}
