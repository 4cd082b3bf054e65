import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atr, bollinger, logReturns, simpleReturns, annualVolatility } from './volatility.ts';
import { confluenceSeries, type PriceVolumeBars } from './confluence.ts';
import { ema, sma, volumeRatio, wilder } from './moving-averages.ts';
import { macd, rsi, stochastic } from './oscillators.ts';
import { rollingCorrelation, rollingMax, rollingMin, rollingRegression, rollingStdDev } from './rolling.ts';

type Outputs = Record<string, Float64Array | Uint8Array>;

const INDICATORS: Record<string, (bars: PriceVolumeBars) => Outputs> = {
  sma: ({ close }) => ({ out: sma(close, 5) }),
  ema: ({ close }) => ({ out: ema(close, 5) }),
  wilder: ({ close }) => ({ out: wilder(close, 5) }),
  rsi: ({ close }) => ({ out: rsi(close) }),
  stochastic: ({ high, low, close }) => ({ ...stochastic(high, low, close) }),
  macd: ({ close }) => ({ ...macd(close) }),
  bollinger: ({ close }) => ({ ...bollinger(close) }),
  atr: ({ high, low, close }) => ({ out: atr(high, low, close) }),
  rollingMax: ({ high }) => ({ out: rollingMax(high, 7) }),
  rollingMin: ({ low }) => ({ out: rollingMin(low, 7) }),
  rollingStdDev: ({ close }) => ({ out: rollingStdDev(close, 7, 1) }),
  rollingRegression: ({ close }) => ({ ...rollingRegression(close, 7) }),
  rollingCorrelation: ({ close, volume }) => ({ out: rollingCorrelation(close, volume, 7) }),
  annualVolatility: ({ close }) => ({ out: annualVolatility(close) }),
  simpleReturns: ({ close }) => ({ out: simpleReturns(close, 5) }),
  logReturns: ({ close }) => ({ out: logReturns(close) }),
  volumeRatio: ({ volume }) => ({ out: volumeRatio(volume, 20) }),
  confluence: (bars) => ({ ...confluenceSeries(bars) }),
};

const arbitrarySeries: fc.Arbitrary<PriceVolumeBars> = fc
  .array(
    fc.record({
      close: fc.integer({ min: 50, max: 400 }),
      range: fc.nat(20),
      volume: fc.integer({ min: 1, max: 1e9 }),
    }),
    { minLength: 2, maxLength: 80 },
  )
  .map((bars) => ({
    high: Float64Array.from(bars, (bar) => bar.close + bar.range),
    low: Float64Array.from(bars, (bar) => bar.close - bar.range),
    close: Float64Array.from(bars, (bar) => bar.close),
    volume: Float64Array.from(bars, (bar) => bar.volume),
  }));

function firstBars(bars: PriceVolumeBars, count: number): PriceVolumeBars {
  return {
    high: bars.high.slice(0, count),
    low: bars.low.slice(0, count),
    close: bars.close.slice(0, count),
    volume: bars.volume.slice(0, count),
  };
}

describe.each(Object.entries(INDICATORS))('%s', (_, indicator) => {
  test('gives one value a bar, and later bars never change an earlier value', () => {
    fc.assert(
      fc.property(arbitrarySeries, fc.nat(80), (bars, wantedCut) => {
        const cut = Math.min(wantedCut, bars.close.length);
        const known = indicator(firstBars(bars, cut));
        for (const [name, whole] of Object.entries(indicator(bars))) {
          expect(whole).toHaveLength(bars.close.length);
          expect(whole.slice(0, cut)).toEqual(known[name]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('does not modify its input', () => {
    fc.assert(
      fc.property(arbitrarySeries, (bars) => {
        const before = firstBars(bars, bars.close.length);
        indicator(bars);
        expect(bars).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });
});
