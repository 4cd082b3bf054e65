import { refuseUnwanted } from '#foundation/unwanted.ts';
import type { Condition, Crossing, Ordering, Scaled, Test } from '../rules/rules.ts';
import { crossingTruths, type CrossingOf } from './crossings.ts';
import {
  columnOf,
  isNumbers,
  numbersOf,
  type CodeColumn,
  type Days,
  type MarketColumns,
} from './market-columns.ts';
import { measured } from './measures.ts';
import { conjoin, disjoin, FAILED, MET, negate, UNKNOWN, type Truths } from './truth.ts';

/**
 * Whether a condition in normal form is met, for every stock on every one of the days. Each test is one pass over its columns,
 * about two nanoseconds for each stock-day; ranks take some thirty.
 */
export function truthsOf(market: MarketColumns, condition: Condition, days: Days): Truths {
  refuseUnwanted(market);
  if ('all' in condition) return combined(market, condition.all, days, conjoin);
  if ('any' in condition) return combined(market, condition.any, days, disjoin);
  if ('not' in condition) return negate(truthsOf(market, condition.not, days));
  return testTruths(market, condition, days);
}

function combined(
  market: MarketColumns,
  parts: readonly Condition[],
  days: Days,
  combine: (truths: Truths, others: Truths) => Truths,
): Truths {
  const truths = truthsOf(market, parts[0]!, days);
  for (const part of parts.slice(1)) combine(truths, truthsOf(market, part, days));
  return truths;
}

function testTruths(market: MarketColumns, test: Test, days: Days): Truths {
  if ('within_days' in test) return crossingTruths(market, crossingOf(test), days);
  const column = columnOf(market, test.field);
  if (!isNumbers(column)) return codeTruths(column, test, range(market, days));
  const values = measured(market, test, days);
  if ('is_null' in test) return nullTruths(values, test.is_null);
  if ('between' in test) {
    const [low, high] = test.between.map(Math.fround) as [number, number];
    return conjoin(ordered(values, low, OUTCOMES.at_least), ordered(values, high, OUTCOMES.at_most));
  }
  if ('in' in test)
    return (test.in as number[])
      .map((item) => ordered(values, Math.fround(item), OUTCOMES.equal))
      .reduce(disjoin);
  const comparison = (['equal', 'below', 'at_most', 'at_least', 'above'] as const).find(
    (name) => name in test,
  )!;
  const operand = (test as unknown as Record<Ordering | 'equal', number | Scaled>)[comparison];
  if (typeof operand === 'number') return ordered(values, Math.fround(operand), OUTCOMES[comparison]);
  const { from, to } = range(market, days);
  const others = numbersOf(market, operand.field).values.subarray(from, to);
  return orderedBy(values, others, operand.times, OUTCOMES[comparison]);
}

/** The crossing of a test that has one. */
export function crossingOf(test: Test & { within_days: number }): CrossingOf {
  const side = 'crossed_above' in test ? 'above' : 'below';
  const other = (test as unknown as Record<Crossing, number | Scaled>)[`crossed_${side}`];
  return { field: test.field, side, other, withinDays: test.within_days };
}

interface Range {
  from: number;
  to: number;
}

function range({ tickers }: MarketColumns, { firstDay, lastDay }: Days): Range {
  return { from: firstDay * tickers.length, to: (lastDay + 1) * tickers.length };
}

/**
 * What a comparison says of a value: unknown, below, above, and equal to the other. The index is the sum of 1 for at most and 2
 * for at least, which takes no branch: on values in random order, branches cost three times as much.
 */
const outcomes = (below: number, same: number, above: number) => Uint8Array.of(UNKNOWN, below, above, same);

const OUTCOMES: Readonly<Record<Ordering | 'equal', Uint8Array>> = {
  below: outcomes(MET, FAILED, FAILED),
  at_most: outcomes(MET, MET, FAILED),
  equal: outcomes(FAILED, MET, FAILED),
  at_least: outcomes(FAILED, MET, MET),
  above: outcomes(FAILED, FAILED, MET),
};

function ordered(values: Float32Array, other: number, outcome: Uint8Array): Truths {
  const out = new Uint8Array(values.length);
  for (let at = 0; at < out.length; at++) {
    const value = values[at]!;
    out[at] = outcome[Number(value <= other) | (Number(value >= other) << 1)]!;
  }
  return out;
}

function orderedBy(values: Float32Array, others: Float32Array, times: number, outcome: Uint8Array): Truths {
  const out = new Uint8Array(values.length);
  for (let at = 0; at < out.length; at++) {
    const value = values[at]!;
    const other = Math.fround(others[at]! * times);
    out[at] = outcome[Number(value <= other) | (Number(value >= other) << 1)]!;
  }
  return out;
}

function nullTruths(values: Float32Array, isWanted: boolean): Truths {
  const [missing, present] = isWanted ? [MET, FAILED] : [FAILED, MET];
  const out = new Uint8Array(values.length);
  for (let at = 0; at < out.length; at++) out[at] = Number.isNaN(values[at]!) ? missing : present;
  return out;
}

/** Every word of the column is judged once. */
function codeTruths({ codes, words }: CodeColumn, test: Test, { from, to }: Range): Truths {
  const ofWord = Uint8Array.from(words, (word) => wordTruth(word, test));
  const out = new Uint8Array(to - from);
  for (let at = 0; at < out.length; at++) out[at] = ofWord[codes[from + at]!]!;
  return out;
}

function wordTruth(word: string | boolean | null, test: Test): number {
  if ('is_null' in test) return (word === null) === test.is_null ? MET : FAILED;
  if (word === null) return UNKNOWN;
  if ('in' in test) return test.in.includes(word as string) ? MET : FAILED;
  return 'equal' in test && test.equal === word ? MET : FAILED;
}
