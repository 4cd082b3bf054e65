import type { ReliabilityBin } from '#quant/learning/validation/scoring.ts';
import { axisOver, CHART_WIDTH, drawing, verticalGrid } from './axis.ts';
import { element, type Markup } from './markup.ts';

const [LEFT, TOP, RIGHT] = [44, 24, 16];
const HEIGHT = 300;
const MAX_RADIUS = 11;
const MIN_RADIUS = 2.5;
/** The frequency of a handful is noise; it is in the table only. */
export const MIN_SHOWN = 30;

/**
 * Forecast on the x axis, observed frequency on the y axis; the area of a point is its number of forecasts. On the line,
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
