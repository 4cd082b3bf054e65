import { describe, expect, test } from 'vitest';
import type { RegimeHistory } from '../regime/regime-history.ts';
import { MARKET_FEATURES } from './market-features.ts';

const DAYS = 60;

function historyOf(of: {
  indexReturn?: (day: number) => number;
  above?: number;
  counted?: number;
}): RegimeHistory {
  const { indexReturn = () => 0, above = 0, counted = 0 } = of;
  return {
    days: {
      withMa20: new Uint16Array(DAYS).fill(counted),
      withMa50: new Uint16Array(DAYS),
      aboveMa20: new Uint16Array(DAYS).fill(above),
      aboveMa50: new Uint16Array(DAYS),
      indexReturn: Float64Array.from({ length: DAYS }, (_, day) => indexReturn(day)),
    },
    score: new Float64Array(DAYS).fill(-40),
    regime: new Array<'BEAR'>(DAYS).fill('BEAR'),
  };
}

function featureOf(name: string, history: RegimeHistory): Float64Array {
  return MARKET_FEATURES.find((feature) => feature.name === name)!.of(history);
}

describe('the features of the market', () => {
  test('have a name, a formula and a source each', () => {
    expect(MARKET_FEATURES.map(({ name }) => name)).toEqual([
      'regime_score',
      'breadth_20',
      'index_return_5',
      'index_return_20',
      'index_volatility_20',
    ]);
    for (const { formula, source } of MARKET_FEATURES) {
      for (const words of [formula, source]) expect(words).toMatch(/^\S.{4,}\S$/);
    }
  });

  test('the regime score is in units of 100', () => {
    expect(featureOf('regime_score', historyOf({}))[9]).toBe(-0.4);
  });

  test('breadth is -1 with nobody above the mean, 1 with everybody, unknown without names', () => {
    const breadth = (above: number, counted: number) =>
      featureOf('breadth_20', historyOf({ above, counted }))[30];
    expect([breadth(0, 80), breadth(20, 80), breadth(80, 80)]).toEqual([-1, -0.5, 1]);
    expect(breadth(0, 0)).toBeNaN();
  });

  test('returns are compounded over their days, in units of 5 % and 10 %', () => {
    const rising = historyOf({ indexReturn: () => 0.002 });
    expect(featureOf('index_return_5', rising)[4]).toBeNaN();
    expect(featureOf('index_return_5', rising)[5]).toBeCloseTo((1.002 ** 5 - 1) / 0.05, 10);
    expect(featureOf('index_return_20', rising)[20]).toBeCloseTo((1.002 ** 20 - 1) / 0.1, 10);
  });

  test('volatility is that of 20 log returns, a year, in units of 30 %', () => {
    const swinging = historyOf({ indexReturn: (day) => (day % 2 === 0 ? 1.01 : 1 / 1.01) - 1 });
    const deviation = Math.log(1.01) * Math.sqrt(20 / 19);
    const volatility = featureOf('index_volatility_20', swinging);
    expect(volatility[19]).toBeNaN();
    expect(volatility[40]).toBeCloseTo((deviation * Math.sqrt(252)) / 0.3, 10);
  });
});
