import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { panelOf, dailyBars, type BarFixture } from '../panel/panel-fixture.ts';
import {
  divergence,
  flowParts,
  leastFlow,
  PART_POINTS,
  type BrokerFlows,
  type PartKind,
  type TurningView,
} from './turning-parts.ts';
import { signalOfScore, turningPoint } from './turning-point.ts';

/** Daily bars of a stock. The range of a day spans its close and the previous close. */
function barsOf(closes: number[], special: (day: number) => Partial<BarFixture> = () => ({})): BarFixture[] {
  return dailyBars(closes.length, (day) => {
    const close = closes[day]!;
    const before = closes[day - 1] ?? close;
    return { close, high: Math.max(close, before), low: Math.min(close, before), ...special(day) };
  });
}

function pointOf(bars: BarFixture[], lookback = 10, broker?: BrokerFlows) {
  const panel = panelOf(bars);
  return turningPoint(panel, 0, { asOfDay: panel.dayCount - 1, lookback, broker });
}

const kindsOf = (bars: BarFixture[], lookback = 10) => pointOf(bars, lookback).parts.map(({ kind }) => kind);

const flat = (days: number) => Array.from({ length: days }, () => 1_000);
/** Prices that swing a little around a level, so that RSI is not at an extreme. */
const calm = (days: number) => Array.from({ length: days }, (_, day) => 1_000 + 5 * (day % 2));
/** `steps` prices after `from`, each `pct` percent from the previous one. */
function moving(from: number, pct: number, steps: number): number[] {
  return Array.from({ length: steps }, (_, i) => Math.round(from * (1 + pct / 100) ** (i + 1)));
}

test.each([
  [8, 'ACCUMULATION_REVERSAL'],
  [4, 'ACCUMULATION_REVERSAL'],
  [3, 'EARLY_RECOVERY'],
  [2, 'EARLY_RECOVERY'],
  [1, 'NEUTRAL'],
  [-1, 'NEUTRAL'],
  [-2, 'WEAKENING'],
  [-3, 'WEAKENING'],
  [-4, 'DISTRIBUTION_RISK'],
  [-8, 'DISTRIBUTION_RISK'],
])('a score of %i is %s', (score, signal) => {
  expect(signalOfScore(score)).toBe(signal);
});

describe('the price', () => {
  test('gives no signal when it never moves', () => {
    expect(pointOf(barsOf(flat(200)))).toMatchObject({ score: 0, signal: 'NEUTRAL', parts: [], retPct: 0 });
  });

  test.each([
    [85, 57],
    [155, 78],
    [85, 85],
  ])(
    'gives none when it never moves, however heavily a stock trades that is restated from %i to %i',
    (before, after) => {
      const [first, terms] = [195, after / before];
      const bars = barsOf(
        Array.from({ length: 200 }, (_, day) => (day < first ? before : after)),
        (day) => ({
          ...(day >= first && { high: after, low: after }),
          ...(day === first && { volume: 10_000, factor: terms, share_factor: terms }),
        }),
      );
      expect(kindsOf(bars)).toEqual([]);
    },
  );

  test('gives a distribution risk after a 15 % rise to the 60-day high with foreign selling', () => {
    const bars = barsOf([...calm(150), ...moving(1_000, 1.5, 10)], (day) =>
      day >= 150 ? { volume: 1_000, value: 1e9, foreign_sell: 60 } : {},
    );
    const { parts, score, signal, retPct } = pointOf(bars);
    expect(parts.map(({ kind }) => kind)).toEqual(['rally', 'near_high', 'foreign_selling', 'overbought']);
    expect([score, signal]).toEqual([-4, 'DISTRIBUTION_RISK']);
    expect(parts[0]!.amount).toBe(retPct);
    expect(retPct).toBeCloseTo(100 * (1161 / 1005 - 1), 3);
  });

  test.each([
    [1.149, false],
    [1.151, true],
  ])('a rise to %d times the price is a rally: %s', (factor, isRally) => {
    const bars = barsOf([...flat(100), 1_000 * factor]);
    expect(kindsOf(bars).includes('rally')).toBe(isRally);
  });

  test.each([
    [0.901, false],
    [0.899, true],
  ])('a drop to %d times the price is a fall: %s', (factor, isFall) => {
    expect(kindsOf(barsOf([...flat(100), 1_000 * factor])).includes('fall')).toBe(isFall);
  });

  test('a fall of 10 % and a price a quarter below the 60-day high count as signs of recovery', () => {
    const kinds = kindsOf(barsOf([...calm(150), ...moving(1_000, -3, 10)]));
    expect(kinds).toEqual(expect.arrayContaining(['fall', 'far_below_high']));
    expect(kinds).not.toContain('rally');
  });

  test('is adjusted across a split', () => {
    const closes = [...calm(150), ...moving(1_000, 1.5, 10)];
    const split = barsOf(closes.map((close, day) => (day < 155 ? close * 10 : close))).map((bar, day) =>
      day === 155
        ? { ...bar, high: bar.close, low: bar.close, factor: 0.1, share_factor: 0.1 }
        : { ...bar, ...(day < 155 ? { volume: 100 } : {}) },
    );
    expect(pointOf(split).score).toBe(pointOf(barsOf(closes)).score);
    expect(pointOf(split).retPct).toBeCloseTo(pointOf(barsOf(closes)).retPct!, 3);
  });
});

describe('heavy volume', () => {
  const heavyOn = (heavy: number, direction: number) => {
    const closes = [...calm(100), ...moving(1_000, direction * 0.5, 20)];
    closes[heavy] = Math.round(closes[heavy - 1]! * (1 - direction * 0.01));
    return barsOf(closes, (day) => (day === heavy ? { volume: 5_000 } : {}));
  };

  test('counts against the stock on a falling day near the high, and for it on a rising day near the low', () => {
    expect(kindsOf(heavyOn(119, 1))).toContain('heavy_red_day');
    expect(kindsOf(heavyOn(119, -1))).toContain('heavy_green_day');
  });

  test('does not count in the middle of the 60-day range', () => {
    const middle = barsOf([...flat(60), 1_100, 900, ...flat(20), 990], (day) =>
      day === 82 ? { volume: 5_000 } : {},
    );
    expect(kindsOf(middle)).toEqual([]);
  });

  test('counts for five days, fewer with a shorter lookback', () => {
    expect(kindsOf(heavyOn(115, 1))).toContain('heavy_red_day');
    expect(kindsOf(heavyOn(114, 1))).not.toContain('heavy_red_day');
    expect(kindsOf(heavyOn(117, 1), 2)).not.toContain('heavy_red_day');
  });
});

describe('momentum', () => {
  test('counts for the stock when RSI rises from below 30 or MA5 crosses above MA20', () => {
    const fallen = [...calm(100), ...moving(1_000, -1, 20)];
    expect(kindsOf(barsOf([...fallen, 825]))).toContain('oversold_turning');
    expect(kindsOf(barsOf(fallen))).not.toContain('oversold_turning');
    const risen = [...fallen, ...moving(818, 2, 8)];
    const crossings = Array.from({ length: 8 }, (_, i) => kindsOf(barsOf(risen.slice(0, 121 + i))));
    expect(crossings.some((kinds) => kinds.includes('ma_cross_up'))).toBe(true);
  });

  test('diverges when a new high has a lower RSI or a new low has a higher RSI', () => {
    const close = Float64Array.from({ length: 100 }, () => 100);
    const rsi = new Float64Array(100).fill(50);
    const at = (bar: number, price: number, index: number) => ([close[bar], rsi[bar]] = [price, index]);
    const window = { lookback: 10, recentBars: 5 };
    at(60, 120, 80);
    at(98, 125, 70);
    expect(divergence(close, rsi, window)).toBe('bearish');
    at(98, 125, 85);
    expect(divergence(close, rsi, window)).toBeNull();
    at(98, 100, 50);
    at(93, 125, 70);
    expect(divergence(close, rsi, window)).toBeNull();
    at(93, 100, 50);
    at(60, 80, 20);
    at(97, 75, 30);
    expect(divergence(close, rsi, window)).toBe('bullish');
  });
});

describe('flows', () => {
  const M = 1e6;
  /** Ten days in which a liquid stock traded 20 billion, so that a flow matters from a billion on. */
  const view = (retPct: number, foreignMillions: number) =>
    ({ retPct, foreignNetValue: foreignMillions * M, tradedValue: 2e10, lookback: 10 }) as TurningView;
  const brokers = (bandarMillions: number, retailMillions: number) => ({
    bandarNetValue: bandarMillions * M,
    retailNetValue: retailMillions * M,
  });
  const kinds = (of: TurningView, broker?: BrokerFlows) => flowParts(of, broker).map(({ kind }) => kind);

  test('of foreigners count from 5 % of the traded value', () => {
    expect(kinds(view(1, -1_000))).toEqual(['foreign_selling']);
    expect(kinds(view(1, -999))).toEqual([]);
    expect(kinds(view(1, 1_000))).toEqual(['foreign_buying']);
    expect(kinds({ ...view(1, 0), tradedValue: 0 })).toEqual([]);
  });

  test('of brokers count from 5 % of the traded value too', () => {
    expect(kinds(view(3, 0), brokers(-999, 999))).toEqual([]);
    expect(kinds(view(3, 0), brokers(-1_000, 1_000))).toEqual(['smart_money_selling', 'retail_buying']);
    expect(kinds(view(-3, 0), brokers(999, -999))).toEqual([]);
    expect(kinds(view(-3, 0), brokers(1_000, -1_000))).toEqual(['smart_money_buying', 'retail_selling']);
  });

  test('of an illiquid stock count from a minimum that scales with the lookback', () => {
    const hardlyTraded = { ...view(3, 0), tradedValue: 10 * M };
    expect(kinds(hardlyTraded, { bandarNetValue: -523_900, retailNetValue: 523_900 })).toEqual([]);
    expect(kinds({ ...hardlyTraded, foreignNetValue: -5 * M })).toEqual([]);
    expect([2, 10, 60].map((lookback) => leastFlow({ tradedValue: 0, lookback }) / M)).toEqual([
      100, 500, 3_000,
    ]);
    expect(leastFlow({ tradedValue: 1e12, lookback: 10 })).toBe(5e10);
  });

  test('of brokers count only against the direction of the price, and not when they are unknown', () => {
    const sellers = brokers(-3_000, 1_500);
    expect(kinds(view(3, 900), sellers)).toEqual(['smart_money_selling', 'retail_buying']);
    expect(kinds(view(-3, 900), brokers(3_000, -1_500))).toEqual(['smart_money_buying', 'retail_selling']);
    expect(kinds(view(-3, 900), sellers)).toEqual([]);
    expect(kinds(view(0, 900), sellers)).toEqual([]);
    expect(kinds(view(3, 900))).toEqual([]);
  });

  test('of smart money and retail together give three points', () => {
    const bars = barsOf(calm(99));
    const flows = brokers(-1_000, 1_000);
    const rising = [...bars.slice(0, -1), { ...bars.at(-1)!, close: 1_010, high: 1_010 }];
    expect(pointOf(rising, 10, flows).score - pointOf(rising).score).toBe(-3);
  });
});

describe('without enough history', () => {
  test('parts are left out and there is no return', () => {
    const young = pointOf(barsOf(moving(1_000, -5, 9)));
    expect(young).toMatchObject({ score: 0, signal: 'NEUTRAL', parts: [], retPct: null, ret10dPct: null });
  });
});

test('the score is the sum of its parts, each counted at most once', () => {
  const anyCloses = fc.array(fc.integer({ min: 50, max: 400 }), { minLength: 1, maxLength: 150 });
  const anyFlows = fc.record({ bandarNetValue: fc.integer(), retailNetValue: fc.integer() });
  fc.assert(
    fc.property(
      anyCloses,
      fc.integer({ min: 2, max: 60 }),
      fc.option(anyFlows),
      (closes, lookback, flows) => {
        const { score, signal, parts } = pointOf(barsOf(closes), lookback, flows ?? undefined);
        const kinds = parts.map(({ kind }) => kind);
        expect(new Set(kinds).size).toBe(kinds.length);
        expect(score).toBe(kinds.reduce((sum, kind: PartKind) => sum + PART_POINTS[kind], 0));
        expect(signal).toBe(signalOfScore(score));
        for (const { amount } of parts) expect(Number.isFinite(amount)).toBe(true);
      },
    ),
    { numRuns: 80 },
  );
});
