import { formatCondition } from '../rules/format-rules.ts';
import { comparisonOf, type Condition, type Rules, type Scaled, type Test } from '../rules/rules.ts';
import { daysSinceCrossing } from './crossings.ts';
import type { Value } from './evaluate.ts';
import { columnOf, isNumbers, numbersOf, shown, valueAt, type MarketColumns } from './market-columns.ts';
import { measured } from './measures.ts';
import { MET, UNKNOWN } from './truth.ts';
import { crossingOf, truthsOf } from './truths-of.ts';

/** Why a condition is met by a stock on a day, or not. */
export interface Explanation {
  /** The condition in text form. */
  rule: string;
  /** Null if it is unknown, because a value is missing. */
  met: boolean | null;
  /** The parts of a condition that combines others, in their order. */
  parts?: Explanation[];
  /** What a test compared, and with what. Bounds and lists come as they are. */
  value?: Value;
  threshold?: Value | (number | string)[];
  /**
   * By how much a test on numbers is met, or below 0, missed, in the unit of the value: the distance from the threshold, or from
   * the nearest bound or item. 0 on the threshold. Null if a value is missing, and for other tests.
   */
  margin?: number | null;
  /** Exchange days since the crossing that the test asks for, 0 for the day itself; null if there was none in time. */
  crossed_days_ago?: number | null;
}

/**
 * Explains rules in normal form for one stock (index) on one day, whether or not it passes. Undefined if the rules have no
 * condition.
 */
export function explain(
  rules: Rules,
  market: MarketColumns,
  day: number,
  stock: number,
): Explanation | undefined {
  return rules.where && explained(rules.where, { market, day, stock });
}

interface Place {
  market: MarketColumns;
  day: number;
  stock: number;
}

function explained(condition: Condition, place: Place): Explanation {
  const { market, day, stock } = place;
  const truth = truthsOf(market, condition, { firstDay: day, lastDay: day })[stock];
  const said = { rule: formatCondition(condition), met: truth === UNKNOWN ? null : truth === MET };
  if ('all' in condition) return { ...said, parts: condition.all.map((part) => explained(part, place)) };
  if ('any' in condition) return { ...said, parts: condition.any.map((part) => explained(part, place)) };
  if ('not' in condition) return { ...said, parts: [explained(condition.not, place)] };
  return { ...said, ...comparedIn(condition, place) };
}

function comparedIn(test: Test, { market, day, stock }: Place): Partial<Explanation> {
  const at = day * market.tickers.length + stock;
  const operand = operandOf(test, market, at);
  const threshold = typeof operand === 'number' ? shown(operand) : operand;
  const column = columnOf(market, test.field);
  if (!isNumbers(column)) return { value: valueAt(column, at), threshold, margin: null };
  const value = measured(market, test, { firstDay: day, lastDay: day })[stock]!;
  if ('within_days' in test) {
    const crossed_days_ago = daysSinceCrossing(market, crossingOf(test), day, stock);
    return { value: shown(value), threshold, margin: null, crossed_days_ago };
  }
  return { value: shown(value), threshold, margin: marginOf(test, value, operand) };
}

type Operand = number | string | boolean | (number | string)[];

/** What a test compares with, for one stock-day; NaN for a missing value of another field. */
function operandOf(test: Test, market: MarketColumns, at: number): Operand {
  const operand = (test as unknown as Record<string, Operand | Scaled>)[comparisonOf(test)]!;
  if (typeof operand !== 'object' || Array.isArray(operand)) return operand;
  return numbersOf(market, operand.field).values[at]! * operand.times;
}

/** Numbers are rounded to 32 bits as in the comparison, so that the sign says whether the test is met. */
function marginOf(test: Test, value: number, operand: Operand): number | null {
  const beyond = (threshold: number | string) => value - Math.fround(Number(threshold));
  if ('between' in test) return shown(Math.min(beyond(test.between[0]), -beyond(test.between[1])) + 0);
  if ('in' in test) return shown(-Math.min(...test.in.map((item) => Math.abs(beyond(item)))) + 0);
  if (typeof operand !== 'number') return null;
  if ('equal' in test) return shown(-Math.abs(beyond(operand)) + 0);
  return shown(('below' in test || 'at_most' in test ? -beyond(operand) : beyond(operand)) + 0);
}
