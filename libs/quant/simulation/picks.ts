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

/** Chooses the stocks that take the place of picks. */
export interface Choices {
  /**
   * @param pickDay which day of the picks it is
   * @returns for each pick of the day and each account: the index of a ticker, -1 for none
   */
  on(pickDay: number): Int32Array;
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

/** The picks themselves, for each of so many accounts. */
export function asPicked({ starts, stocks }: Picks, accounts = 1): Choices {
  return {
    on(pickDay) {
      const picked = stocks.subarray(starts[pickDay], starts[pickDay + 1]);
      const chosen = new Int32Array(accounts * picked.length);
      for (let at = 0; at < chosen.length; at++) chosen[at] = picked[Math.floor(at / accounts)]!;
      return chosen;
    },
  };
}

/**
 * For each of these days and each stock: 1 for one that anybody could have chosen on it: liquid, traded, and not at its upper limit.
 */
export function candidatesOn(market: SimulatedMarket, days: Int32Array): Uint8Array {
  const { panel, stocks } = market;
  const { volume } = panel.columns;
  const isCandidate = new Uint8Array(days.length * stocks);
  for (let stock = 0; stock < stocks; stock++) {
    if (panel.firstRow(stock) === panel.endRow(stock, panel.dayCount)) continue;
    const average = new TrailingValue(panel, stock);
    for (let at = 0; at < days.length; at++) {
      const day = days[at]!;
      if (average.upTo(day) < LIQUID_VALUE_IDR) continue;
      const row = market.rowOn(day, stock);
      if (row < 0 || volume[row] === 0) continue;
      if (!closedAtUpperLimit(panel, stock, row)) isCandidate[at * stocks + stock] = 1;
    }
  }
  return isCandidate;
}
