import { describe, expect, test } from 'vitest';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';
import { panelOf } from '../panel/panel-fixture.ts';
import { chanceBetterThanRandom } from '../performance/better-than-random.ts';
import { criticalDistance, distanceFromUniform } from '../performance/uniform-fixture.ts';
import { Random } from '../random.ts';
import { closedAtUpperLimit } from '../universe/candidates.ts';
import { LIQUID_VALUE_IDR } from '../universe/liquidity.ts';
import { averageDailyValue } from '../panel/windows.ts';
import { Accounts } from './accounts.ts';
import { equalWeightEquity } from './equal-weight.ts';
import { equityFigures, returnsBy } from './figures.ts';
import { Journal } from './journal.ts';
import { OrderOutcomes } from './order-outcomes.ts';
import { asPicked, candidatesOn, picksOf } from './picks.ts';
import { randomEquities } from './random-picks.ts';
import { SimulatedMarket } from './simulated-market.ts';
import { worthOf } from './worth.ts';

const BARRIERS = { targetGain: 0.08, stopLoss: 0.05, horizonDays: 10 };
const RULES = { maxPositions: 5, positionShare: 0.2 };
const CAPITAL_IDR = 100_000_000;
const SPAN = { firstDay: 60, lastDay: 299 };
const WEEK_DAYS = 5;

/** A market, and random picks on every fifth day of it that stay the same for some weeks. */
function marketOf(seed: number) {
  const panel = panelOf(syntheticBars({ seed, tickers: 40, days: 300 }));
  const market = new SimulatedMarket(panel, SPAN);
  const days = Array.from({ length: 48 }, (_, week) => SPAN.firstDay + week * WEEK_DAYS);
  const isCandidate = candidatesOn(market, Int32Array.from(days));
  const random = new Random(seed);
  let order = random.permutation(panel.tickerCount);
  const picks = picksOf(
    days.map((day, at) => {
      if (at % 4 === 0) order = random.permutation(panel.tickerCount);
      return {
        day,
        stocks: [...order].filter((stock) => isCandidate[at * market.stocks + stock] === 1).slice(0, 5),
      };
    }),
  );
  const outcomes = new OrderOutcomes(market, picks, { barriers: BARRIERS, volumeShare: 0.1 });
  const open = (accounts: number) =>
    new Accounts(market, outcomes, RULES, new Float64Array(accounts).fill(CAPITAL_IDR));
  const follow = (journals?: Journal[]) => open(1).follow(picks, asPicked(picks), journals)[0]!;
  const randomly = (draws: number) => randomEquities(market, picks, isCandidate, open(draws));
  return { panel, market, picks, isCandidate, outcomes, follow, randomly };
}

describe('random picks', () => {
  test('come to the same in every run, and to different equities', () => {
    const { randomly } = marketOf(3);
    const draws = randomly(50);
    expect(randomly(50)).toEqual(draws);
    expect(new Set(draws).size).toBeGreaterThan(40);
  });

  test('come to the same when all outcomes have been found before', () => {
    const { randomly, isCandidate, outcomes } = marketOf(3);
    const draws = randomly(20);
    outcomes.findAll(isCandidate);
    const found = marketOf(3);
    found.outcomes.findAll(found.isCandidate);
    expect(randomly(20)).toEqual(draws);
    expect(found.randomly(20)).toEqual(draws);
  });

  test('leave picks without merit a uniform chance of being better', () => {
    const chances = Array.from({ length: 60 }, (_, seed) => {
      const { follow, randomly } = marketOf(seed + 1);
      return chanceBetterThanRandom(follow(), randomly(100))!;
    });
    expect(distanceFromUniform(chances)).toBeLessThan(criticalDistance(chances.length));
  });

  test('are liquid stocks that traded and did not close at their upper limit', () => {
    const { panel, market, picks, isCandidate } = marketOf(3);
    for (const [at, day] of picks.days.entries())
      for (let stock = 0; stock < market.stocks; stock++) {
        const row = panel.rowAt(stock, day);
        const isTraded = row >= 0 && panel.columns.volume[row]! > 0;
        const isLiquid = (averageDailyValue(panel, stock, day, 20) ?? 0) >= LIQUID_VALUE_IDR;
        const expected = isTraded && isLiquid && !closedAtUpperLimit(panel, stock, row);
        expect(isCandidate[at * market.stocks + stock]).toBe(Number(expected));
      }
  });
});

describe('all candidates in equal parts', () => {
  test('return the mean of their returns, less the costs of a purchase', () => {
    const panel = panelOf(
      ['AAAA', 'BBBB'].flatMap((ticker, at) =>
        ['2021-01-04', '2021-01-05', '2021-01-06'].map((date, day) => ({
          ticker,
          date,
          close: [1_000, 1_000, 1_100 + 100 * at][day]!,
        })),
      ),
    );
    const market = new SimulatedMarket(panel, { firstDay: 0, lastDay: 2 });
    const equity = equalWeightEquity(
      market,
      picksOf([{ day: 0, stocks: [] }]),
      Uint8Array.of(1, 1),
      1_000_000,
    );
    expect([...equity]).toEqual([1_000_000, 998_500, 998_500 * 1.15]);
  });

  test('lose nothing at a split', () => {
    const panel = panelOf([
      { ticker: 'AAAA', date: '2021-01-04', close: 1_000 },
      { ticker: 'AAAA', date: '2021-01-05', close: 1_000 },
      { ticker: 'AAAA', date: '2021-01-06', close: 200, factor: 0.2, share_factor: 0.2 },
    ]);
    const market = new SimulatedMarket(panel, { firstDay: 0, lastDay: 2 });
    const equity = equalWeightEquity(market, picksOf([{ day: 0, stocks: [] }]), Uint8Array.of(1), 1_000_000);
    expect(equity[2]).toBeCloseTo(equity[1]!, 6);
  });

  test('return nothing while no stock is a candidate', () => {
    const { market, picks, isCandidate } = marketOf(3);
    const equity = equalWeightEquity(
      market,
      picks,
      isCandidate.map(() => 0),
      1_000_000,
    );
    expect(new Set(equity)).toEqual(new Set([1_000_000]));
  });
});

describe('figures of an equity curve', () => {
  test('compound over months to the total return', () => {
    const { follow, panel } = marketOf(4);
    const journal = new Journal();
    follow([journal]);
    const months = returnsBy(journal.equityIdr, (day) =>
      panel.columns.dates[SPAN.firstDay + day]!.slice(0, 7),
    );
    const total = months.reduce((growth, { value }) => growth * (1 + value), 1) - 1;
    const figures = equityFigures(journal.equityIdr);
    expect(total).toBeCloseTo(figures.totalReturn, 12);
    expect(months.length).toBeGreaterThan(10);
    const depths = figures.drawdowns.map(({ depth }) => depth);
    expect(depths).toEqual(depths.toSorted((a, b) => b - a));
  });

  test('say of an account without trades that nothing can be said', () => {
    const idle = new Float64Array(100).fill(1_000_000);
    expect(equityFigures(idle)).toMatchObject({
      totalReturn: 0,
      sharpe: undefined,
      sortino: undefined,
      drawdowns: [],
    });
    const worth = worthOf(
      { equity: idle, market: idle, costs: idle },
      { horizonDays: 10, expectedBestSharpe: 0 },
    );
    expect(worth).toMatchObject({
      sharpe: undefined,
      probabilisticSharpe: undefined,
      deflatedSharpe: undefined,
    });
  });
});

describe('the worth of an equity curve', () => {
  const random = new Random(1);
  const market = [1];
  for (let day = 1; day < 1_000; day++) market.push(market[day - 1]! * (1 + 0.01 * random.normal()));
  const growing = market.map((value, day) => value * 1.002 ** day * (1 + 0.001 * random.normal()));
  const costs = growing.map((value) => 0.0001 * value);
  const of = (equity: number[], expectedBestSharpe = 0) =>
    worthOf({ equity, market, costs }, { horizonDays: 10, expectedBestSharpe });

  test('is above that of a market that it outgrows, and 0 for the market itself', () => {
    expect(of(growing).excess.low).toBeGreaterThan(0.001);
    expect(of(growing).probabilisticSharpe).toBeGreaterThan(0.99);
    expect(of(market).excess).toEqual({ value: 0, low: 0, high: 0 });
  });

  test('is less the more was tried, and before costs higher than after them', () => {
    const measured = of(growing);
    const better = of(growing, 2 * measured.sharpe!);
    expect(better.deflatedSharpe).toBeLessThan(0.05);
    expect(measured.deflatedSharpe).toBe(measured.probabilisticSharpe);
    expect(measured.gross.value! - measured.net.value!).toBeCloseTo(0.0001, 5);
  });
});
