import { momentsOf } from './moments.ts';

export const TRADING_DAYS_OF_A_YEAR = 242;

/** A fall from a high of the equity until that is reached again. Days are indices of the series. */
export interface Drawdown {
  /** Day of the high. */
  from: number;
  /** Day of the lowest equity. */
  lowest: number;
  /** Day on which the high was reached again; undefined if it was not. */
  recovered: number | undefined;
  /** Fraction of the high that was lost: 0.2 for a fall from 100 to 80. */
  depth: number;
}

/** Every fall of an equity curve, in order of time. */
export function drawdownsOf(equity: ArrayLike<number>): Drawdown[] {
  const all: Drawdown[] = [];
  let high = 0;
  let open: Drawdown | undefined;
  for (let day = 1; day < equity.length; day++) {
    if (equity[day]! >= equity[high]!) {
      if (open) open.recovered = day;
      [high, open] = [day, undefined];
      continue;
    }
    if (!open) all.push((open = { from: high, lowest: day, recovered: undefined, depth: 0 }));
    const depth = 1 - equity[day]! / equity[high]!;
    if (depth > open.depth) [open.lowest, open.depth] = [day, depth];
  }
  return all;
}

/** Returns of an equity curve from day to day, as fractions: one less than days. */
export function returnsOf(equity: ArrayLike<number>): Float64Array {
  return Float64Array.from(
    { length: Math.max(0, equity.length - 1) },
    (_, i) => equity[i + 1]! / equity[i]! - 1,
  );
}

/** Standard deviation of returns, of a year. */
export function annualVolatility(returns: ArrayLike<number>, periodsOfAYear: number): number {
  return momentsOf(returns).deviation * Math.sqrt(periodsOfAYear);
}

/** The growth of a year at which compounding gives the same end, as a fraction. */
export function annualReturn(returns: ArrayLike<number>, periodsOfAYear: number): number {
  let growth = 1;
  for (let i = 0; i < returns.length; i++) growth *= 1 + returns[i]!;
  return growth ** (periodsOfAYear / returns.length) - 1;
}

/**
 * Mean excess return over its downside deviation, of a year (Sortino and van der Meer 1991): the root of the mean of squared
 * negative returns, over all periods. NaN when no return is negative.
 */
export function sortinoRatio(excessReturns: ArrayLike<number>, periodsOfAYear: number): number {
  let squares = 0;
  for (let i = 0; i < excessReturns.length; i++) squares += Math.min(0, excessReturns[i]!) ** 2;
  if (squares === 0) return NaN;
  const downside = Math.sqrt(squares / excessReturns.length);
  return (momentsOf(excessReturns).mean / downside) * Math.sqrt(periodsOfAYear);
}
