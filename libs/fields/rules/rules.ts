/**
 * The rules of a screen: which stocks pass, in which order, and how many of them. They have two forms with one meaning, JSON
 * (these types) and a line of text (`parse-rules.ts`, `format-rules.ts`):
 *
 *     {"where": {"all": [{"field": "rsi_14", "below": 35}, {"field": "foreign_net_20d_idr", "above": 0}]},
 *      "sort": [{"field": "value_idr", "order": "desc"}], "limit": 20}
 *
 *     rsi_14 < 35 and foreign_net_20d_idr > 0 sort by value_idr desc limit 20
 *
 * A condition alone may stand for rules without order and limit: `{"field": "rsi_14", "below": 35}`.
 *
 * **Null.** A condition on a missing value is neither met nor failed: it is unknown, as in SQL. `not` of unknown is unknown;
 * `all` fails if one part fails, and is otherwise unknown if one is unknown; `any` is met if one part is met, and is otherwise
 * unknown if one is unknown. A stock passes only if the whole is met, so a missing value never lets a stock pass, not even
 * under `not`. Only `is_null` tells missing values from others, and is itself never unknown.
 *
 * `readRules` checks rules and returns their normal form, which all other functions expect: defaults are filled in, `all` and
 * `any` have at least two parts, and empty members are left out.
 */
export interface Rules {
  /** Every stock with a row on the day passes if this is left out. */
  where?: Condition;
  /** By ticker, ascending, if left out, and where all keys tie. Missing values come last in either order. */
  sort?: SortKey[];
  /** All that pass if left out. */
  limit?: number;
}

export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Test;

export const ORDERS = ['asc', 'desc'] as const;
export interface SortKey {
  field: string;
  order: (typeof ORDERS)[number];
}

/** What is read of a field instead of its value. All are numbers. */
export const MEASURES = [
  /** Place of the stock among the liquid stocks of the day by value, 1 for the largest. Equal values share the better place. */
  'rank',
  /** The same with 1 for the smallest. */
  'bottom_rank',
  /** Share of the liquid stocks of the day with a smaller value, ties counted half, percent: 0 to 100. */
  'percentile',
  /** Value less the value `days` exchange days before, in the unit of the field. */
  'change',
  /** 100 × (value / value `days` exchange days before - 1); missing unless the earlier value is above 0. */
  'change_pct',
] as const;
export type Measure = (typeof MEASURES)[number];

/** What is compared: the value of a field, or a measure of it. Stocks that are not liquid on the day have no rank. */
export interface Subject {
  field: string;
  as?: Measure;
  /** For `change` and `change_pct`. */
  days?: number;
}

/** Another field of the same stock and day, multiplied. */
export interface Scaled {
  field: string;
  times: number;
}

export const ORDERINGS = ['below', 'at_most', 'at_least', 'above'] as const;
export type Ordering = (typeof ORDERINGS)[number];

export const CROSSINGS = ['crossed_above', 'crossed_below'] as const;
export type Crossing = (typeof CROSSINGS)[number];

/** The comparisons of a test, of which it has exactly one. */
export const COMPARISONS = [...ORDERINGS, 'equal', 'between', 'in', ...CROSSINGS, 'is_null'] as const;
export type Comparison = (typeof COMPARISONS)[number];

type Ordered = { [O in Ordering]: Record<O, number | Scaled> }[Ordering];
type Crossed = { [C in Crossing]: Record<C, number | Scaled> & { within_days: number } }[Crossing];

/**
 * A comparison of one field.
 * - `between` includes both bounds.
 * - `crossed_above` is met if on one of the last `within_days` exchange days, the last one included, the value was above the
 *   other, having been at or below it on the exchange day before. Prices before a split are restated to the day of the
 *   crossing, and a number is a price of that day.
 * - `is_null` is met if the value is missing, or with `false`, if it is not.
 */
export type Test = Subject &
  (
    | Ordered
    | { equal: number | string | boolean | Scaled }
    | { between: [number, number] }
    | { in: (number | string)[] }
    | Crossed
    | { is_null: boolean }
  );

/** The one comparison of a test. */
export function comparisonOf(test: Test): Comparison {
  return COMPARISONS.find((comparison) => comparison in test)!;
}

/** Whether a condition is a test and not a combination of conditions. */
export function isTest(condition: Condition): condition is Test {
  return 'field' in condition;
}

/** Every test of a condition, in order. */
export function testsOf(condition: Condition | undefined): Test[] {
  if (condition === undefined) return [];
  if ('all' in condition) return condition.all.flatMap(testsOf);
  if ('any' in condition) return condition.any.flatMap(testsOf);
  return 'not' in condition ? testsOf(condition.not) : [condition];
}

/** The field with which a test compares its own, if it does. */
export function otherFieldOf(test: Test): string | undefined {
  const operand: unknown = (test as unknown as Record<string, unknown>)[comparisonOf(test)];
  return typeof operand === 'object' && operand !== null && 'field' in operand
    ? (operand as Scaled).field
    : undefined;
}

/**
 * Limits of a screen. They bound the memory and time of one evaluation, and every screen within them has a text within
 * `textLength`.
 */
export const LIMITS = {
  /** Conditions inside each other; a single test has depth 1. */
  depth: 10,
  /** Tests. */
  tests: 50,
  /** Items of all lists together. */
  items: 200,
  /** Characters of a text value. */
  wordLength: 50,
  /** Characters of the text form. */
  textLength: 30_000,
  /** `within_days` of a crossing. */
  withinDays: 60,
  /** `days` of a change: a year. */
  changeDays: 250,
  sortKeys: 3,
  limit: 1_000,
} as const;
