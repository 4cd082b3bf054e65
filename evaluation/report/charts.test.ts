import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reliabilityChart } from './calibration-section.ts';
import { axisOver, CHART_WIDTH, intervalChart } from './charts.ts';

const figure = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((thousandths) => thousandths / 1_000);

test('an axis spans every value between its first and last tick, with at most seven ticks', () => {
  fc.assert(
    fc.property(fc.array(figure, { minLength: 1, maxLength: 20 }), (values) => {
      const { at, ticks } = axisOver(values, { start: 10, end: 110 });
      expect(at(ticks[0]!)).toBeCloseTo(10, 6);
      expect(at(ticks.at(-1)!)).toBeCloseTo(110, 6);
      for (const value of values) {
        expect(at(value)).toBeGreaterThanOrEqual(10 - 1e-6);
        expect(at(value)).toBeLessThanOrEqual(110 + 1e-6);
      }
      expect(ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});

const numbersOf = (markup: string, attribute: string) =>
  [...markup.matchAll(new RegExp(` ${attribute}="([-\\d.]+)"`, 'g'))].map(([, number]) => Number(number));

test('an interval is drawn from its lower to its upper end, within the drawing and around its figure', () => {
  const estimate = { value: 1.2, low: 0.9, high: 1.6 };
  const { markup } = intervalChart({
    name: 'lift',
    rows: [{ name: 'Model X', estimate }],
    bound: 1,
    boundName: 'blind',
    written: String,
  });
  const [, x1, x2] = /class="whisker" x1="([\d.]+)" x2="([\d.]+)"/.exec(markup)!.map(Number);
  const [cx] = numbersOf(markup, 'cx');
  expect(x1!).toBeLessThan(cx!);
  expect(cx!).toBeLessThan(x2!);
  expect(x2!).toBeLessThanOrEqual(CHART_WIDTH);
  expect((cx! - x1!) / (x2! - x1!)).toBeCloseTo(0.3 / 0.7, 2);
});

test('a point is filled only when its whole interval lies above the bound', () => {
  const chart = (low: number | null) =>
    intervalChart({
      name: 'lift',
      bound: 1,
      boundName: 'blind',
      written: String,
      rows: [{ name: 'Model X', estimate: { value: 1.2, low, high: 1.6 } }],
    }).markup;
  expect(chart(1.01)).not.toContain('open');
  expect(chart(1)).toContain('point open');
  expect(chart(null)).toContain('point open');
});

test('forecasts that match the observed share lie on the diagonal', () => {
  const table = [0.1, 0.3, 0.5].map((p) => ({
    from: p,
    to: p + 0.05,
    weight: 100,
    forecast: p,
    observed: p,
  }));
  const { markup } = reliabilityChart('as forecast', table);
  const line = ['x1', 'y1', 'x2', 'y2'].map((end) =>
    Number(new RegExp(`class="bound"[^>]* ${end}="([\\d.]+)"`).exec(markup)![1]),
  );
  const [x1, y1, x2, y2] = line as [number, number, number, number];
  const [cx, cy] = [numbersOf(markup, 'cx'), numbersOf(markup, 'cy')];
  expect(cx).toHaveLength(3);
  for (const [i, x] of cx.entries()) expect(cy[i]).toBeCloseTo(y1 + ((x - x1) / (x2 - x1)) * (y2 - y1), 1);
});

test('a group with too few forecasts is not drawn and does not widen the axis', () => {
  const table = [
    { from: 0.2, to: 0.25, weight: 500, forecast: 0.22, observed: 0.2 },
    { from: 0.5, to: 0.55, weight: 1, forecast: 0.51, observed: 1 },
  ];
  expect(reliabilityChart('few', table).markup).toBe(reliabilityChart('few', table.slice(0, 1)).markup);
});
