import type { Panel } from '../panel/panel.ts';
import { LIQUID_OVER_DAYS, LIQUID_VALUE_IDR } from '../regime/liquidity.ts';
import { averageDailyValue } from '../snapshot/money-windows.ts';

/** A stock that traded on the day. */
export interface DayStock {
  /** Index. */
  ticker: number;
  /** Panel row of the day. */
  row: number;
  /** Close against the exchange's reference price of the day, percent; null without a reference price. */
  changePct: number | null;
  /** Whether its average daily value over 20 exchange days is at least 1 billion IDR. */
  isLiquid: boolean;
}

/** What stands in the list of one day. */
export interface MarketDay {
  /** Stocks with a bar on the day, suspended ones included. */
  listed: number;
  /** In the order of tickers. */
  traded: DayStock[];
}

/** The stocks of a day (calendar index). Rows after it have no influence. */
export function marketDay(panel: Panel, day: number): MarketDay {
  const { volume, close, previous } = panel.columns;
  const traded: DayStock[] = [];
  let listed = 0;
  panel.rowsOn(day).forEach((row, ticker) => {
    if (row < 0) return;
    listed++;
    if (volume[row] === 0) return;
    const reference = previous[row]!;
    const changePct = reference > 0 ? 100 * (close[row]! / reference - 1) : null;
    const averageValue = averageDailyValue(panel, ticker, day, LIQUID_OVER_DAYS) ?? 0;
    traded.push({ ticker, row, changePct, isLiquid: averageValue >= LIQUID_VALUE_IDR });
  });
  return { listed, traded };
}
