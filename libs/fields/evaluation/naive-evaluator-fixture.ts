import fc from 'fast-check';
import { FIELDS, SECTORS } from '../rules/rules-fixture.ts';
import type { Condition, Rules, Scaled, Subject, Test } from '../rules/rules.ts';
import type { Column, MarketColumns } from './market-columns.ts';

/** A stock on a day, as plain as can be. */
export interface StockDay {
  ticker: string;
  isListed: boolean;
  isLiquid: boolean;
  values: Readonly<Record<string, number | string | boolean | null>>;
  /** Whether trading days are missing before the day; the same for all stocks. */
  isAfterMissing?: boolean;
  /** By which earlier prices are restated, as a product from the first day on; null where that is not known. */
  factor: number | null;
}

/** For each day, its stocks, ascending by ticker; the same on all days. */
export type PlainMarket = StockDay[][];

const RESTATED = ['close', 'sma_20'];

/** Small markets with ties, missing values, corporate actions, and stocks that are not listed or not liquid. */
export const arbitraryMarket: fc.Arbitrary<PlainMarket> = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 8 }))
  .chain(([stocks, days]) =>
    fc.array(fc.array(stockDay, { minLength: stocks, maxLength: stocks }), {
      minLength: days,
      maxLength: days,
    }),
  )
  .map((days) => withFactors(days));

const anyNumber = fc.option(fc.oneof(fc.integer({ min: -3, max: 6 }), fc.constantFrom(0.5, 1.5, -2.25, -0)), {
  freq: 6,
});
const stockDay = fc.record({
  ticker: fc.constant(''),
  isListed: fc.boolean(),
  isLiquid: fc.boolean(),
  values: fc.record({
    close: anyNumber,
    sma_20: anyNumber,
    rsi_14: anyNumber,
    ret_20d: anyNumber,
    value_20d: anyNumber,
    sector: fc.option(fc.constantFrom(...SECTORS)),
    regime: fc.option(fc.constantFrom('BULL', 'SIDEWAYS', 'BEAR')),
    is_liquid: fc.option(fc.boolean()),
    'model.rank': anyNumber,
  }),
  isAfterMissing: fc.integer({ min: 0, max: 5 }).map((of) => of === 0),
  factor: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.constantFrom(0.5, 2, null)),
});

/** Names the stocks, and multiplies the days' factors. */
function withFactors(days: PlainMarket): PlainMarket {
  const products = days[0]!.map(() => 1);
  return days.map((stocks, day) =>
    stocks.map((one, stock) => {
      if (one.factor !== null) products[stock]! *= one.factor;
      const isAfterMissing = day > 0 && stocks[0]!.isAfterMissing!;
      return {
        ...one,
        isAfterMissing,
        ticker: `S${stock}`,
        factor: one.factor === null ? null : products[stock]!,
      };
    }),
  );
}

export function columnsOf(days: PlainMarket): MarketColumns {
  const all = days.flat();
  const flags = (is: (one: StockDay) => boolean) => Uint8Array.from(all, (one) => Number(is(one)));
  const column = (name: string): Column => {
    const values = all.map((one) => one.values[name]!);
    if (FIELDS.get(name)!.type !== 'number') {
      const words = [...new Set(values)] as (string | boolean | null)[];
      return { codes: Uint8Array.from(values, (value) => words.indexOf(value as string)), words };
    }
    return {
      values: Float32Array.from(values, (value) => (value as number | null) ?? NaN),
      ...(RESTATED.includes(name) && { factors: Float32Array.from(all, ({ factor }) => factor ?? NaN) }),
    };
  };
  return {
    tickers: days[0]!.map(({ ticker }) => ticker),
    dayCount: days.length,
    fields: Object.fromEntries([...FIELDS.keys()].map((name) => [name, column(name)])),
    listed: flags(({ isListed }) => isListed),
    liquid: flags(({ isLiquid }) => isLiquid),
    gaps: [...days.keys()].filter((day) => days[day]![0]!.isAfterMissing),
  };
}

/** Tickers that pass on a day, in order, without the limit. */
export function passingOf({ where, sort = [] }: Rules, days: PlainMarket, day: number): string[] {
  const found = days[day]!.filter(
    ({ isListed, ticker }) => isListed && (where === undefined || isMet(where, days, day, ticker) === true),
  );
  return found
    .toSorted((a, b) => {
      for (const { field, order } of sort) {
        const [left, right] = [a.values[field]!, b.values[field]!];
        if (left === right) continue;
        if (left === null) return 1;
        if (right === null) return -1;
        return left < right === (order === 'asc') ? -1 : 1;
      }
      return a.ticker < b.ticker ? -1 : 1;
    })
    .map(({ ticker }) => ticker);
}

/** Null where it is unknown. */
export function isMet(condition: Condition, days: PlainMarket, day: number, ticker: string): boolean | null {
  const of = (part: Condition) => isMet(part, days, day, ticker);
  if ('all' in condition) {
    const parts = condition.all.map(of);
    return parts.includes(false) ? false : parts.includes(null) ? null : true;
  }
  if ('any' in condition) {
    const parts = condition.any.map(of);
    return parts.includes(true) ? true : parts.includes(null) ? null : false;
  }
  if ('not' in condition) {
    const part = of(condition.not);
    return part === null ? null : !part;
  }
  return testIsMet(condition, days, day, ticker);
}

function testIsMet(test: Test, days: PlainMarket, day: number, ticker: string): boolean | null {
  const stock = stockOn(days, day, ticker)!;
  if ('is_null' in test) return (stock.values[test.field] === null) === test.is_null;
  if ('within_days' in test) {
    const events = Array.from({ length: test.within_days }, (_, ago) =>
      crossedOn(test, days, day - ago, ticker),
    ).slice(0, 1 + (daysUntilMissing(days, day) ?? test.within_days));
    return events.includes(true) ? true : events.includes(null) ? null : false;
  }
  const value = subjectOf(test, days, day, ticker);
  if (value === null) return null;
  if ('in' in test) return test.in.some((item) => rounded(item) === value);
  if ('between' in test)
    return (value as number) >= rounded(test.between[0]) && (value as number) <= rounded(test.between[1]);
  const other = operandOf(Object.values(test).at(-1) as number | string | boolean | Scaled, stock);
  if (other === null) return null;
  if ('below' in test) return value < other;
  if ('at_most' in test) return value <= other;
  if ('at_least' in test) return value >= other;
  return 'above' in test ? value > other : value === other;
}

const rounded = <T>(value: T): T => (typeof value === 'number' ? (Math.fround(value) as T) : value);

function stockOn(days: PlainMarket, day: number, ticker: string): StockDay | undefined {
  return days[day]?.find((one) => one.ticker === ticker);
}

function operandOf(operand: number | string | boolean | Scaled, { values }: StockDay) {
  if (typeof operand !== 'object') return rounded(operand);
  const value = values[operand.field] as number | null;
  return value === null ? null : Math.fround(value * operand.times);
}

function subjectOf({ field, as, days: back }: Subject, days: PlainMarket, day: number, ticker: string) {
  const now = stockOn(days, day, ticker)!;
  const value = now.values[field]!;
  if (as === undefined || value === null) return value;
  if (as === 'change' || as === 'change_pct') {
    if ((daysUntilMissing(days, day) ?? back!) < back!) return null;
    const before = earlierValue(field, now, stockOn(days, day - back!, ticker));
    if (before === null || (as === 'change_pct' && before <= 0)) return null;
    return Math.fround(as === 'change' ? (value as number) - before : 100 * ((value as number) / before - 1));
  }
  if (!now.isLiquid) return null;
  const all = days[day]!.filter((one) => one.isLiquid && one.values[field] !== null).map(
    (one) => one.values[field] as number,
  );
  const [below, above] = [
    all.filter((other) => other < (value as number)).length,
    all.filter((other) => other > (value as number)).length,
  ];
  if (as === 'rank') return above + 1;
  if (as === 'bottom_rank') return below + 1;
  return Math.fround((100 * (below + (all.length - below - above) / 2)) / all.length);
}

/** How many days before a day the newest one is before which days are missing. */
function daysUntilMissing(days: PlainMarket, day: number): number | undefined {
  const ago = days.slice(0, day + 1).findLastIndex(([first]) => first!.isAfterMissing);
  return ago < 0 ? undefined : day - ago;
}

/** The value of an earlier day in the terms of the later one. */
function earlierValue(field: string, now: StockDay, before: StockDay | undefined): number | null {
  const value = before?.values[field] ?? null;
  if (value === null || !RESTATED.includes(field)) return value as number | null;
  return now.factor === null || before!.factor === null
    ? null
    : (value as number) * (now.factor / before!.factor);
}

function crossedOn(test: Test, days: PlainMarket, day: number, ticker: string): boolean | null {
  const [now, before] = [stockOn(days, day, ticker), stockOn(days, day - 1, ticker)];
  if (!now || !before || now.isAfterMissing) return null;
  const [isUp, operand] =
    'crossed_above' in test
      ? [true, test.crossed_above]
      : [false, (test as { crossed_below: number }).crossed_below];
  const value = now.values[test.field] as number | null;
  const earlier =
    typeof operand === 'number'
      ? earlierValue(test.field, now, before)
      : (before.values[test.field] as number | null);
  const [other, otherBefore] = [operandOf(operand, now), operandOf(operand, before)] as (number | null)[];
  if (value === null || earlier === null || other === null || otherBefore === null) return null;
  return isUp ? earlier <= otherBefore! && value > other! : earlier >= otherBefore! && value < other!;
}
