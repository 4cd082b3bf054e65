import { rsi } from '../indicators/rsi.ts';
import type { Panel } from '../panel/panel.ts';
import type { Regime } from '../regime/regime.ts';
import type { RegimeHistory } from '../regime/regime-history.ts';
import { tradedSeries } from '../series/traded-series.ts';
import { foreignNetValue } from '../snapshot/money-windows.ts';
import { marketDay, type DayStock } from './market-day.ts';
import { movers, type Mover } from './movers.ts';

/** The market on one day. Values in IDR, `Pct` in percent, null where no liquid stock has the history for it. */
export interface MarketOverview {
  /** Calendar index. */
  day: number;
  /** Stocks with a bar on the day; of them those that traded; of these those that are liquid. */
  totalStocks: number;
  tradedStocks: number;
  liquidStocks: number;
  regime: Regime;
  /** -100 to 100; see regimeScores. */
  regimeScore: number;
  /** Traded stocks above, below and at their reference price of the day, or without one. */
  advancing: number;
  declining: number;
  unchanged: number;
  /** Share of liquid stocks that closed above their MA20. */
  aboveMa20Pct: number | null;
  /** Mean over liquid stocks, each counting the same. */
  dailyReturnPct: number | null;
  rsi: number | null;
  /** Of all stocks, in the regular market. */
  foreignNetValue: number;
  totalValue: number;
  gainers: Mover[];
  losers: Mover[];
}

const MOVERS = 10;

/** The market on `day` (calendar index). Rows after it have no influence. */
export function marketOverview(panel: Panel, history: RegimeHistory, day: number): MarketOverview {
  const { listed, traded } = marketDay(panel, day);
  const liquid = traded.filter(({ isLiquid }) => isLiquid);
  const { aboveMa20, withMa20 } = history.days;
  const sum = (amountOf: (row: number) => number) =>
    traded.reduce((total, { row }) => total + amountOf(row), 0);
  return {
    day,
    totalStocks: listed,
    tradedStocks: traded.length,
    liquidStocks: liquid.length,
    regime: history.regime[day]!,
    regimeScore: history.score[day]!,
    ...directions(traded),
    aboveMa20Pct: withMa20[day] === 0 ? null : (100 * aboveMa20[day]!) / withMa20[day]!,
    dailyReturnPct: mean(liquid.map(({ changePct }) => changePct)),
    rsi: mean(liquid.map(({ ticker }) => rsi(tradedSeries(panel, ticker, day).close).at(-1)!)),
    foreignNetValue: sum((row) => foreignNetValue(panel, row)),
    totalValue: sum((row) => panel.columns.value[row]!),
    gainers: movers(panel, traded, 1, MOVERS),
    losers: movers(panel, traded, -1, MOVERS),
  };
}

function directions(stocks: readonly DayStock[]) {
  const advancing = stocks.filter(({ changePct }) => changePct !== null && changePct > 0).length;
  const declining = stocks.filter(({ changePct }) => changePct !== null && changePct < 0).length;
  return { advancing, declining, unchanged: stocks.length - advancing - declining };
}

/** Over those that are defined. */
function mean(values: readonly (number | null)[]): number | null {
  const defined = values.filter((value): value is number => value !== null && !Number.isNaN(value));
  return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
}
