import { describe, expect, test } from 'vitest';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { Panel } from '#quant/panel/panel.ts';
import { evaluateDay } from '../evaluation/evaluate.ts';
import { valueAt } from '../evaluation/market-columns.ts';
import { parseRules } from '../rules/parse-rules.ts';
import { FIELDS } from './catalogue.ts';
import { marketColumns } from './columns.ts';
import { inputsOf } from './market-fixture.ts';
import type { FieldInputs } from '../values/stock.ts';

const EX = 70;
const DAYS = 125;
const SHARES = 4_933_500_000;
const dateOf = (day: number) => isoFromEpochDay(epochDayFromIso('2023-03-13') + day);
const wave = (day: number) => 1 + ((day * 37) % 11) / 200;

/** A stock at 3,900 whose prices are restated on the ex-day, and whose shares then change in steps, as seen after a day. */
function stock(
  ticker: string,
  reference: number,
  steps: [day: number, ratio: number][],
  upTo: number,
): BarFixture[] {
  const priceRatio = reference / 3_900;
  return Array.from({ length: upTo + 1 }, (_, day) => {
    const isAfter = day >= EX;
    const close = day === EX - 1 ? 3_900 : Math.round(3_800 * wave(day) * (isAfter ? priceRatio : 1));
    const shares = steps.reduce((all, [from, ratio]) => (day >= from ? all * ratio : all), SHARES);
    const volume = Math.round((4e9 * wave(day + 5)) / close);
    const factor = day === EX ? priceRatio : 1;
    return {
      ticker,
      date: dateOf(day),
      close,
      volume,
      foreign_buy: volume / 4,
      listed_shares: shares,
      factor,
    };
  });
}

/** A market as its data say on a day: bonus shares, rights that are exercised, a split with its shares, and a stock without anything. */
function marketOn(
  upTo: number,
  { ratio, reference, listed }: { ratio: number; reference: number; listed: number },
): FieldInputs {
  const isListed = upTo >= listed;
  const bonus = stock('BONS', reference, [[listed, ratio]], upTo).map((bar, day) =>
    day === EX && isListed ? { ...bar, factor: 1 / ratio, share_factor: 1 / ratio } : bar,
  );
  const split = stock('SPLT', 1_950, [[EX, 2]], upTo).map((bar, day) =>
    day === EX ? { ...bar, share_factor: 0.5 } : bar,
  );
  const rights = stock(
    'RGTS',
    3_100,
    [
      [EX + 5, 1.001],
      [EX + 6, 1.4],
    ],
    upTo,
  );
  const bars = [...bonus, ...stock('PLAN', 3_900, [], upTo), ...rights, ...split];
  const late = { row: EX, knownDay: listed, factor: reference / 3_900, share_factor: 1 };
  return inputsOf(bars, new Panel({ ...panelOf(bars).columns, late_factors: isListed ? [late] : [] }));
}

const RULES = [
  'change(close, 5d) > 0%',
  'change(volume, 5d) > 0%',
  'change(close, 5d) < 0%',
  'close crossed above sma_5 within 3 days',
  `close crossed below 355 within 10 days or close crossed above 355 within 10 days`,
  'volume crossed above 1000000 within 25 days',
].map((text) => parseRules(text, FIELDS));

describe.each([
  { ratio: 11, reference: 354, listed: EX + 11 },
  { ratio: 1.0625, reference: 3_670, listed: EX + 18 },
  { ratio: 2, reference: 1_950, listed: EX + 5 },
])('bonus shares of 1:$ratio, listed on day $listed', (issue) => {
  const { listed, ratio } = issue;
  const columnsOn = (upTo: number) => {
    const inputs = marketOn(upTo, issue);
    return marketColumns([...FIELDS.keys()], inputs, { firstDay: 0, lastDay: upTo });
  };
  const whole = columnsOn(DAYS - 1);
  const valueOf = (name: string, ticker: string, day: number) =>
    valueAt(whole.fields[name]!, day * whole.tickers.length + whole.tickers.indexOf(ticker)) as number | null;

  test('every field and rule says of every day what it said on that day, whatever was listed later', () => {
    for (const day of [EX - 1, EX, EX + 1, EX + 4, listed - 1, listed, listed + 1, listed + 4, listed + 21]) {
      const then = columnsOn(day);
      const on = (name: string, of: typeof whole) =>
        of.tickers.map((_, i) => valueAt(of.fields[name]!, day * of.tickers.length + i));
      for (const name of FIELDS.keys())
        expect(on(name, whole), `${name} of day ${day}`).toEqual(on(name, then));
      for (const rules of RULES)
        expect(evaluateDay(rules, whole, day).stocks).toEqual(evaluateDay(rules, then, day).stocks);
    }
  });

  test('the market value is right before and after, and null in between', () => {
    for (let day = EX - 20; day < DAYS; day++) {
      const value = valueOf('market_cap_idr', 'BONS', day);
      if (day >= EX && day < listed) expect(value, `day ${day}`).toBeNull();
      else expect(Math.abs(value! / (3_900 * SHARES) - 1), `day ${day}`).toBeLessThan(0.06);
    }
    expect(valueOf('turnover_20d_pct', 'BONS', EX)).toBeNull();
    expect(valueOf('value_20d', 'BONS', EX)).toBeGreaterThan(3e9);
  });

  test('volume is compared with volume across the ex-day only once the shares are listed', () => {
    for (let day = EX - 20; day < DAYS; day++) {
      const heavy = valueOf('volume_ratio_20', 'BONS', day);
      if (day >= EX && day < listed && day < EX + 19) expect(heavy, `day ${day}`).toBeNull();
      else expect(Math.abs(heavy! - 1), `day ${day}`).toBeLessThan(0.15);
    }
    // A window after the ex-day is in one unit.
    if (listed > EX + 5) expect(valueOf('volume_ratio_5', 'BONS', EX + 4)).not.toBeNull();
    expect(valueOf('volume_ratio_5', 'BONS', EX + 3)).toBeNull();
  });

  test('rights look the same until their first shares are listed; a split with its shares is known at once', () => {
    const nullDays = (ticker: string) =>
      Array.from({ length: DAYS }, (_, day) => day).filter(
        (day) => valueOf('market_cap_idr', ticker, day) === null,
      );
    expect(nullDays('RGTS')).toEqual([0, 1, 2, 3, 4, 5].map((day) => EX + day));
    expect([...nullDays('SPLT'), ...nullDays('PLAN')]).toEqual([]);
    expect(ratio).toBeGreaterThan(1);
  });
});

test('without a listing, the days of doubt end after 20 trading days', () => {
  const inputs = marketOn(DAYS - 1, { ratio: 11, reference: 354, listed: DAYS + 1 });
  const { values } = marketColumns(['market_cap_idr'], inputs, { firstDay: EX, lastDay: DAYS - 1 }).fields[
    'market_cap_idr'
  ] as { values: Float32Array };
  const isNull = Array.from({ length: DAYS - EX }, (_, day) => Number.isNaN(values[day * 4]!));
  expect(isNull.lastIndexOf(true)).toBe(20);
});
