import { closedAtUpperLimit } from '../universe/candidates.ts';
import { LIQUID_VALUE_IDR, TrailingValue } from '../universe/liquidity.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/** What was picked at the end of each day on which orders are given, best first. */
export interface Picks {
  /** Calendar indices, ascending, also of days without picks. */
  days: Int32Array;
  /** Where the picks of each day begin among `stocks`; one more than days. */
  starts: Uint32Array;
  /** Indices of tickers. */
  stocks: Int32Array;
}

/** Chooses the stock that takes the place of a pick. */
export interface Choice {
  /** @returns the index of a ticker, -1 for none */
  of(pickDay: number, stock: number): number;
}

/** The picks of each day (calendar index), from its tickers (indices). */
export function picksOf(days: readonly { day: number; stocks: readonly number[] }[]): Picks {
  const starts = new Uint32Array(days.length + 1);
  for (const [at, { stocks }] of days.entries()) starts[at + 1] = starts[at]! + stocks.length;
  return {
    days: Int32Array.from(days, ({ day }) => day),
    starts,
    stocks: Int32Array.from(days.flatMap(({ stocks }) => stocks)),
  };
}

export const AS_PICKED: Choice = { of: (_, stock) => stock };

/**
 * For each of these days and each stock: 1 for one that anybody could have chosen on it: liquid, traded, and not at its upper limit.
 */
export function candidatesOn({ panel, stocks }: SimulatedMarket, days: Int32Array): Uint8Array {
  const { day: dayOf, volume } = panel.columns;
  const isCandidate = new Uint8Array(days.length * stocks);
  for (let stock = 0; stock < stocks; stock++) {
    if (panel.firstRow(stock) === panel.endRow(stock, panel.dayCount)) continue;
    const average = new TrailingValue(panel, stock);
    for (let at = 0; at < days.length; at++) {
      const day = days[at]!;
      if (average.upTo(day) < LIQUID_VALUE_IDR) continue;
      const row = panel.endRow(stock, day) - 1;
      if (dayOf[row] !== day || volume[row] === 0) continue;
      if (!closedAtUpperLimit(panel, row)) isCandidate[at * stocks + stock] = 1;
    }
  }
  return isCandidate;
}
