import { describe, expect, test } from 'vitest';
import { sma } from '#quant/indicators/moving-averages.ts';
import type { SyntheticTicker } from './generate-market.ts';
import { BARS, countRows, lagged, LAST_DATE, LIQUID, MARKET, mean, median } from './market-fixture.ts';

const ROWS = countRows(() => true);

/**
 * Habits the invented market must share with the real one, within bounds that held for every seed tried
 * (1 to 11). Reference values: daily bars of the real exchange, 2019-2025.
 */
describe('trading in a synthetic market of default size', () => {
  test('reaches 1 billion IDR a day in about 27 % of names and 10 billion in 12 %', () => {
    const averages = BARS.filter(({ date }) => date.at(-1)! >= '2026-09-01').map(({ value }) =>
      sma(value, 20).at(-1)!,
    );
    const share = (bound: number) => averages.filter((value) => value >= bound).length / averages.length;
    expect(share(1e9)).toBeGreaterThan(0.2);
    expect(share(1e9)).toBeLessThan(0.34);
    expect(share(1e10)).toBeGreaterThan(0.07);
    expect(share(1e10)).toBeLessThan(0.17);
  });

  test('has persistent foreign flow with a larger share in large names', () => {
    const net = LIQUID.map(({ rows }) =>
      [...rows.date.keys()]
        .filter((i) => rows.volume[i]! > 0)
        .map((i) => (rows.foreign_buy[i]! - rows.foreign_sell[i]!) / rows.volume[i]!),
    );
    expect(median(net.map((values) => lagged(values, 1)))).toBeGreaterThan(0.2);
    const share = (companies: SyntheticTicker[]) =>
      companies.reduce((sum, { rows }) => sum + mean(rows.foreign_buy), 0) /
      companies.reduce((sum, { rows }) => sum + mean(rows.volume), 0);
    expect(share(LIQUID)).toBeGreaterThan(0.1);
    const small = MARKET.filter((_, i) => mean(BARS[i]!.value) < 1e8);
    expect(share(small)).toBeLessThan(0.5 * share(LIQUID));
  });

  test('publishes no opening price on most rows', () => {
    const traded = countRows(({ rows }, i) => rows.volume[i]! > 0);
    const opened = countRows(({ rows }, i) => rows.open_price[i]! > 0);
    expect(opened / traded).toBeGreaterThan(0.05);
    expect(opened / traded).toBeLessThan(0.4);
    const openedBefore = countRows(({ rows }, i) => rows.open_price[i]! > 0 && rows.date[i]! < '2024-12-09');
    expect(openedBefore / countRows(({ rows }, i) => rows.date[i]! < '2024-12-09')).toBeLessThan(0.08);
  });

  test('has days without trades, most of them in little-traded names', () => {
    const untraded = countRows(({ rows }, i) => rows.volume[i] === 0);
    expect(untraded / ROWS).toBeGreaterThan(0.06);
    expect(untraded / ROWS).toBeLessThan(0.16);
    const asleep = MARKET.filter(({ rows }) => rows.volume.subarray(-20).every((volume) => volume === 0));
    expect(asleep.length).toBeGreaterThanOrEqual(5);
    expect(
      median(LIQUID.map(({ rows }) => rows.volume.filter((volume) => volume === 0).length)),
    ).toBeLessThan(15);
  });

  test('has negotiated trades on 8 to 20 % of rows, at the measured premiums', () => {
    const premiums: number[] = [];
    for (const { rows } of MARKET) {
      for (let i = 0; i < rows.date.length; i++) {
        const volume = rows.non_regular_volume[i]!;
        if (volume > 0) premiums.push(rows.non_regular_value[i]! / volume / rows.close[i]! - 1);
      }
    }
    expect(premiums.length / ROWS).toBeGreaterThan(0.08);
    expect(premiums.length / ROWS).toBeLessThan(0.2);
    premiums.sort((a, b) => a - b);
    const at = (rank: number) => premiums[Math.floor(rank * premiums.length)]!;
    const measured = [
      { rank: 0.05, premium: -0.24, tolerance: 0.04 },
      { rank: 0.25, premium: -0.014, tolerance: 0.01 },
      { rank: 0.5, premium: 0, tolerance: 0.001 },
      { rank: 0.75, premium: 0.01, tolerance: 0.01 },
      { rank: 0.95, premium: 0.17, tolerance: 0.04 },
    ];
    for (const { rank, premium, tolerance } of measured) {
      expect(Math.abs(at(rank) - premium)).toBeLessThanOrEqual(tolerance);
    }
  });

  test('has splits, reverse splits and rights issues that restate price against shares', () => {
    const ratios: { price: number; shares: number }[] = [];
    for (const { rows } of MARKET) {
      for (let i = 1; i < rows.date.length; i++) {
        if (rows.previous[i] === rows.close[i - 1]) continue;
        const shares = rows.listed_shares[i]! / rows.listed_shares[i - 1]!;
        ratios.push({ price: rows.previous[i]! / rows.close[i - 1]!, shares });
      }
    }
    const opposed = ratios.filter(({ price, shares }) => Math.abs(price * shares - 1) < 0.03);
    expect(opposed.filter(({ shares }) => shares >= 2).length).toBeGreaterThanOrEqual(5);
    expect(opposed.filter(({ shares }) => shares <= 0.2).length).toBeGreaterThanOrEqual(2);
    expect(ratios.length - opposed.length).toBeGreaterThanOrEqual(3);
  });

  test('has companies that list and delist within the span', () => {
    const first = MARKET.map(({ rows }) => rows.date[0]!).toSorted()[0]!;
    const listed = MARKET.filter(({ rows }) => rows.date[0]! > first);
    expect(listed.length).toBeGreaterThanOrEqual(10);
    for (const { rows, listing_date } of listed) expect(listing_date).toBe(rows.date[0]);
    expect(MARKET.filter(({ rows }) => rows.date.at(-1)! < LAST_DATE).length).toBeGreaterThanOrEqual(3);
  });
});
