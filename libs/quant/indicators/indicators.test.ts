import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atr, bollinger, logReturns, simpleReturns, annualVolatility } from './volatility.ts';
import { confluenceSeries, type PriceVolumeBars } from './confluence.ts';
import { ema, sma, volumeRatio, wilder } from './moving-averages.ts';
import { macd, rsi, stochastic } from './oscillators.ts';
import { rollingCorrelation, rollingMax, rollingMin, rollingRSquared, rollingStdDev } from './rolling.ts';
import { ROUNDING } from '../price-move.ts';
import {
  annualised,
  band,
  comparedTo,
  deviation,
  exponential,
  macdLines,
  mean,
  ofClose,
  relativeStrength,
  stochasticLines,
  timesItsMean,
  trueRangeAverage,
  wilders,
  windowed,
  type Bar,
  type Stream,
} from './textbook-fixture.ts';

/** For each indicator: its form over whole series, and its streaming forms in the order of its lines. */
const TEXTBOOK: Record<string, [(bars: PriceVolumeBars) => Float64Array[], () => Stream<Bar>[]]> = {
  sma: [({ close }) => [sma(close, 20)], () => [ofClose(mean(20))]],
  ema: [({ close }) => [ema(close, 12)], () => [ofClose(exponential(12))]],
  wilder: [({ close }) => [wilder(close, 14)], () => [ofClose(wilders(14))]],
  rsi: [({ close }) => [rsi(close)], () => [ofClose(relativeStrength(14))]],
  atr: [({ high, low, close }) => [atr(high, low, close)], () => [trueRangeAverage(14)]],
  macd: [
    ({ close }) => [macd(close).macd, macd(close).signal, macd(close).histogram],
    () => macdLines().map(ofClose),
  ],
  stochastic: [
    ({ high, low, close }) => [stochastic(high, low, close).k, stochastic(high, low, close).d],
    stochasticLines,
  ],
  bollinger: [
    ({ close }) => [bollinger(close).middle, bollinger(close).upper, bollinger(close).lower],
    () => [mean(20), band(1), band(-1)].map(ofClose),
  ],
  'rolling extremes': [
    ({ close }) => [rollingMax(close, 60), rollingMin(close, 60)],
    () => [windowed(60, (all) => Math.max(...all)), windowed(60, (all) => Math.min(...all))].map(ofClose),
  ],
  'standard deviation': [({ close }) => [rollingStdDev(close, 20, 1)], () => [ofClose(deviation(20, 19))]],
  volatility: [({ close }) => [annualVolatility(close)], () => [ofClose(annualised())]],
  returns: [
    ({ close }) => [simpleReturns(close, 5), logReturns(close)],
    () => [
      ofClose(comparedTo(5, (now, before) => now / before - 1)),
      ofClose(comparedTo(1, (now, before) => Math.log(now) - Math.log(before))),
    ],
  ],
  'volume ratio': [({ volume }) => [volumeRatio(volume, 20)], () => [timesItsMean(20)]],
};

/** The form over whole series of every indicator, also of those without a textbook form. */
const INDICATORS: Record<string, (bars: PriceVolumeBars) => (Float64Array | Uint8Array)[]> = {
  ...Object.fromEntries(Object.entries(TEXTBOOK).map(([name, [overSeries]]) => [name, overSeries])),
  'line through a window': ({ close }) => [rollingRSquared(close, 7)],
  correlation: ({ close, volume }) => [rollingCorrelation(close, volume, 7)],
  confluence: (bars) => Object.values<Float64Array | Uint8Array>({ ...confluenceSeries(bars) }),
};

/** Parts of a price in steps of 1e-4: a price moves by a tick or not at all, and what is less is rounding. */
const partOf = (min: number, max: number) =>
  fc.integer({ min: 10_000 * min, max: 10_000 * max }).map((steps) => steps / 10_000);

/** A price that moves by up to a tenth per bar, or stays flat for a while, over more bars than any indicator's window. */
const arbitraryBars: fc.Arbitrary<Bar[]> = fc
  .tuple(
    fc.double({ min: 50, max: 60_000, noNaN: true }),
    fc.array(
      fc.record({
        move: fc.oneof(fc.constant(0), partOf(-0.1, 0.1)),
        above: partOf(0, 0.05),
        below: partOf(0, 0.05),
        volume: fc.integer({ min: 1, max: 1e9 }),
      }),
      { maxLength: 150, size: 'max' },
    ),
  )
  .map(([first, steps]) => {
    let close = first;
    return steps.map(({ move, above, below, volume }) => {
      close *= 1 + move;
      return { high: close * (1 + above), low: close * (1 - below), close, volume };
    });
  });

function columnsOf(bars: Bar[]): PriceVolumeBars {
  return {
    high: Float64Array.from(bars, ({ high }) => high),
    low: Float64Array.from(bars, ({ low }) => low),
    close: Float64Array.from(bars, ({ close }) => close),
    volume: Float64Array.from(bars, ({ volume }) => volume),
  };
}

/** Sums in another order differ in their last digits, and a difference or a root of such sums differs more; what is rounding is 0. */
function expectSame(line: Float64Array, expected: number[], price: number): void {
  const largest = Math.max(0, ...expected.filter((value) => !Number.isNaN(value)).map(Math.abs));
  const tolerance = 1e-6 * largest + ROUNDING * price;
  expected.forEach((value, i) => {
    if (Number.isNaN(value)) expect(line[i]).toBeNaN();
    else expect(Math.abs(line[i]! - value)).toBeLessThanOrEqual(tolerance);
  });
}

test.each(Object.entries(TEXTBOOK))(
  '%s over a whole series matches its textbook form bar by bar',
  (_, [overSeries, streams]) => {
    fc.assert(
      fc.property(arbitraryBars, (bars) => {
        const price = Math.max(0, ...bars.map(({ high }) => high));
        const lines = overSeries(columnsOf(bars));
        const forms = streams();
        expect(forms).toHaveLength(lines.length);
        forms.forEach((form, i) =>
          expectSame(
            lines[i]!,
            bars.map((bar) => form(bar)),
            price,
          ),
        );
      }),
      { numRuns: 50 },
    );
  },
);

test.each(Object.entries(INDICATORS))(
  '%s has a value for each bar that no later bar changes, and leaves its input as it was',
  (_, overSeries) => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(150), (bars, wantedCut) => {
        const [whole, cut] = [columnsOf(bars), Math.min(wantedCut, bars.length)];
        const known = overSeries(columnsOf(bars.slice(0, cut)));
        for (const [i, line] of overSeries(whole).entries()) {
          expect(line).toHaveLength(bars.length);
          expect(line.slice(0, cut)).toEqual(known[i]);
        }
        expect(whole).toEqual(columnsOf(bars));
      }),
      { numRuns: 60 },
    );
  },
);
