import { describe, expect, test } from 'vitest';
import { Value } from 'typebox/value';
import { floorToTick } from '#quant/exchange/exchange.ts';
import { Panel } from '#quant/panel/panel.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { poisonedAfter } from '../fixtures/market-fixtures.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { SimulationParams } from './params.ts';
import { results } from './result.ts';
import { screen } from './screen.ts';

const bars = syntheticBars({ seed: 11, tickers: 40, days: 300 });
const panel = panelOf(bars);
const { dates, tickers } = panel.columns;
const [FIRST, LAST] = [130, 280];

/** Weekly picks of stocks that have a row on their day. */
const days = Array.from({ length: 30 }, (_, week) => {
  const day = FIRST + 5 * week;
  const listed = tickers.filter((_, stock) => panel.rowAt(stock, day) >= 0);
  return { as_of: dates[day]!, tickers: listed.slice(week % 7, (week % 7) + 5) };
});

const PARAMS: SimulationParams = {
  screen_id: 'scr_0',
  from: dates[FIRST]!,
  to: dates[LAST]!,
  capital_idr: 100_000_000,
  max_positions: 5,
  position_pct: 20,
  rebalance: 'weekly',
  max_volume_pct: 5,
  target_gain: 0.08,
  stop_loss: 0.05,
  horizon_days: 10,
  picks: { days, trials: 3, expected_best_sharpe: 0.4 },
};

type Result = ReadOf<typeof results.full>;

async function simulated(params: Partial<SimulationParams> = {}, on = panel, kind = 'synthetic') {
  const dataset = { version: 'v', kind, broker_data: 'none' };
  const given = { ...PARAMS, ...params };
  const output = await screen.run(screenInput({ panel: on, params: given, dataset, analysisDate: given.to }));
  return { output, result: asRead<Result>(output.result), english: asRead<Result>(output.result, 'en') };
}

describe('a simulation', () => {
  test('has the result that its schema declares, with every comparison', async () => {
    const { output, result } = await simulated();
    expect(Value.Errors(results.full, result)).toEqual([]);
    expect(result.days.date).toEqual(dates.slice(FIRST, LAST + 1));
    expect(result.days.equity_idr.at(-1)).toBe(result.end_idr);
    expect(result.days.equal_weight_idr).toHaveLength(result.days.date.length);
    expect(result.trades.length).toBeGreaterThan(20);
    expect(result.comparisons.random.draws).toBe(500);
    expect(result.comparisons.random.low_pct).toBeLessThan(result.comparisons.random.high_pct);
    expect(result.comparisons.cash.end_idr).toBe(100_000_000);
    expect(result.capacity.map(({ capital_idr }) => capital_idr)).toEqual([1e8, 1e9, 1e10]);
    expect(result.capacity[2]!.thin_orders).toBeGreaterThan(result.capacity[0]!.thin_orders);
    expect(output.summary).toEqual({ pick_count: 0, tickers: [], target_date: dates[LAST] });
  });

  test('counts what was bought at its own stop or below', async () => {
    const { result } = await simulated({ stop_loss: 0.02 });
    const atStop = result.trades.filter(({ ticker, picked_on, price }) => {
      const row = panel.rowAt(panel.tickerIndex(ticker), panel.dayOnOrBefore(picked_on));
      const stop = panel.columns.close[row]! * 0.98 * panel.priceScale(row, row + 1);
      return price <= floorToTick(stop);
    });
    expect(atStop.length).toBeGreaterThan(0);
    expect(result.bought_at_stop_count).toBe(atStop.length);
    for (const { bought_on, sold_on } of atStop) expect(sold_on).toBe(bought_on);
  });

  test('says what is stuck in stocks that nobody can sell', async () => {
    const halted = bars.map((bar) =>
      bar.date > dates[LAST - 8]! ? { ...bar, volume: 0, value: 0, high: bar.close, low: bar.close } : bar,
    );
    const { result } = await simulated({}, panelOf(halted));
    const invested = (result.days.exposure_pct.at(-1)! / 100) * result.end_idr;
    expect(result.stuck_pct).toBeGreaterThan(0);
    expect(result.stuck_pct).toBe(result.days.exposure_pct.at(-1));
    expect(result.stuck_idr).toBeCloseTo(invested, -6);
    expect((await simulated()).result.stuck_pct).toBeLessThan(result.stuck_pct);
  });

  test('says where each trade stood among the picks of its day', async () => {
    const { result } = await simulated();
    for (const { ticker, picked_on, rank } of result.trades)
      expect(days.find(({ as_of }) => as_of === picked_on)!.tickers[rank - 1]).toBe(ticker);
  });

  test('reads no bar after its last day', async () => {
    const poisoned = panelOf(poisonedAfter(bars, dates[LAST]!));
    expect((await simulated({}, poisoned)).output).toEqual((await simulated()).output);
  });

  test('leaves out picks that the dataset does not know, and counts them', async () => {
    const strange = days.map(({ as_of, tickers: known }) => ({ as_of, tickers: ['ZZZZ', ...known] }));
    const strangeDays = [{ as_of: '1999-01-04', tickers: ['ZZZZ'] }, ...strange];
    const { result } = await simulated({ picks: { ...PARAMS.picks, days: strangeDays } });
    const { result: usual } = await simulated();
    expect(result.unknown_picks).toBe(days.length);
    expect(result.end_idr).toBe(usual.end_idr);
  });

  test('of picks without merit is not shown to be worth anything, in both languages', async () => {
    const { result, english } = await simulated();
    expect(result.verdict).toBe('not_shown');
    expect(result.trials.count).toBe(3);
    expect(result.verdict_text).toMatch(/^Belum terbukti/);
    expect(english.verdict_text).toMatch(/^Not shown/);
  });

  test('on the real market names the stocks that are missing from its past', async () => {
    expect((await simulated({}, panel, 'real')).english.missing_text).toMatch(/delisted before 2021/);
    expect((await simulated()).result).not.toHaveProperty('missing_text');
  });

  test('over missing trading days says that they are missing', async () => {
    const across = (gap: number) => simulated({}, new Panel({ ...panel.columns, gaps: [gap] }));
    expect((await across(LAST)).english.missing_text).toMatch(/^Trading days of that time are missing/);
    expect((await across(FIRST)).result).not.toHaveProperty('missing_text');
    expect((await across(LAST + 1)).result).not.toHaveProperty('missing_text');
  });

  test('of a span without three trading days fails with a reason', async () => {
    await expect(simulated({ from: dates[LAST - 1]! })).rejects.toMatchObject({
      code: 'insufficient_data',
      message: expect.stringContaining('three trading days') as string,
    });
  });

  test('of three trading days has every figure', async () => {
    const { result } = await simulated({ from: dates[LAST - 2]! });
    expect(Value.Errors(results.full, result)).toEqual([]);
  });

  test('of a screen that picks nothing leaves the money where it was', async () => {
    const none = days.map(({ as_of }) => ({ as_of, tickers: [] }));
    const { result } = await simulated({ picks: { ...PARAMS.picks, days: none } });
    expect(result).toMatchObject({
      end_idr: 100_000_000,
      total_return_pct: 0,
      verdict: 'not_shown',
      trades: [],
    });
  });
});
