import { rsi } from '../indicators/oscillators.ts';
import { reachesAcross } from '../panel/gaps.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNetValue, averageDailyValue, dayChangePct, orNull } from '../panel/windows.ts';
import { pendingRegime, regimeHistory, type Regime, type RegimeHistory } from '../regime/regime.ts';
import { tradedSeries } from '../panel/traded-series.ts';
import { LIQUID_OVER_DAYS, LIQUID_VALUE_IDR } from '../universe/liquidity.ts';

/** The market on one day. Values in IDR, `Pct` in percent; null where no liquid stock has enough history, and across missing days. */
export interface MarketOverview {
  /** Calendar index. */
  day: number;
  /** Stocks with a bar on the day; the ones of these that traded; the liquid ones among the traded. */
  totalStocks: number;
  tradedStocks: number;
  liquidStocks: number;
  regime: Regime;
  /** -100 to 100; see regimeScores. */
  regimeScore: number;
  /** The regime that the score suggests, and the days until it is confirmed; null when it equals `regime`. */
  pending: ReturnType<typeof pendingRegime>;
  /** Traded stocks above, below and at their reference price of the day. Those without one are in none of the three. */
  advancing: number;
  declining: number;
  unchanged: number;
  /** Share of liquid stocks that closed above their MA20. */
  aboveMa20Pct: number | null;
  /** Mean over liquid stocks, equally weighted. */
  dailyReturnPct: number | null;
  rsi: number | null;
  /** Of all stocks, in the regular market. Null where no source says it of one that traded. */
  foreignNetValue: number | null;
  /** Of all stocks, in the regular market. */
  totalValue: number;
  gainers: Mover[];
  losers: Mover[];
}

const MOVERS = 10;
const RSI_DAYS = 15;

/** Overview of the market on its last whole day. */
export function newestOverview(panel: Panel): MarketOverview {
  return marketOverview(panel, regimeHistory(panel), panel.lastWholeDay);
}

/** Overview of the market on `day` (calendar index). Rows after it have no influence. */
export function marketOverview(panel: Panel, history: RegimeHistory, day: number): MarketOverview {
  const { listed, traded } = marketDay(panel, day);
  const liquid = traded.filter(({ isLiquid }) => isLiquid);
  const { aboveMa20, withMa20 } = history.days;
  const isAcross = (days: number) => reachesAcross(panel, { firstDay: day + 1 - days, lastDay: day });
  const sum = (amountOf: (row: number) => number) =>
    traded.reduce((total, { row }) => total + amountOf(row), 0);
  return {
    day,
    totalStocks: listed,
    tradedStocks: traded.length,
    liquidStocks: liquid.length,
    regime: history.regime[day]!,
    regimeScore: history.score[day]!,
    pending: pendingRegime(history, day),
    ...directions(traded),
    aboveMa20Pct: withMa20[day] === 0 || isAcross(20) ? null : (100 * aboveMa20[day]!) / withMa20[day]!,
    dailyReturnPct: mean(liquid.map(({ changePct }) => changePct)),
    rsi: isAcross(RSI_DAYS)
      ? null
      : mean(liquid.map(({ ticker }) => rsi(tradedSeries(panel, ticker, day).close).at(-1)!)),
    foreignNetValue: orNull(sum((row) => foreignNetValue(panel, row))),
    totalValue: sum((row) => panel.columns.value[row]!),
    gainers: movers(panel, traded, 1, MOVERS),
    losers: movers(panel, traded, -1, MOVERS),
  };
}

function directions(stocks: readonly DayStock[]) {
  const advancing = stocks.filter(({ changePct }) => changePct !== null && changePct > 0).length;
  const declining = stocks.filter(({ changePct }) => changePct !== null && changePct < 0).length;
  return { advancing, declining, unchanged: stocks.filter(({ changePct }) => changePct === 0).length };
}

/** Mean of the defined values. */
function mean(values: readonly (number | null)[]): number | null {
  const defined = values.filter((value): value is number => value !== null && !Number.isNaN(value));
  return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
}

/** A stock that traded on the day. */
interface DayStock {
  /** Index. */
  ticker: number;
  /** Panel row of the day. */
  row: number;
  /** Close against the exchange's reference price of the day, percent; null without a reference price. */
  changePct: number | null;
  /** Whether its average daily value over 20 exchange days is at least 1 billion IDR. */
  isLiquid: boolean;
}

/** The stocks of one day. */
interface MarketDay {
  /** Stocks with a bar on the day, suspended ones included. */
  listed: number;
  /** In ticker order. */
  traded: DayStock[];
}

/** The stocks of a day (calendar index). Rows after it have no influence. */
function marketDay(panel: Panel, day: number): MarketDay {
  const { volume } = panel.columns;
  const traded: DayStock[] = [];
  let listed = 0;
  panel.rowsOn(day).forEach((row, ticker) => {
    if (row < 0) return;
    listed++;
    if (volume[row] === 0) return;
    const changePct = dayChangePct(panel, row);
    const averageValue = averageDailyValue(panel, ticker, day, LIQUID_OVER_DAYS) ?? 0;
    traded.push({ ticker, row, changePct, isLiquid: averageValue >= LIQUID_VALUE_IDR });
  });
  return { listed, traded };
}

/** A stock among the gainers or losers of a day. */
export interface Mover {
  ticker: string;
  /** IDR, unadjusted. */
  close: number;
  /** Close against the reference price of the day, percent. */
  changePct: number;
  /** Traded on the day, IDR. */
  value: number;
}

/**
 * Up to `count` liquid stocks that rose (`sign` 1) or fell (-1) most in percent, the largest move first. Ties are ordered by
 * traded value, then by ticker, so that the order is always the same.
 */
function movers(panel: Panel, stocks: readonly DayStock[], sign: 1 | -1, count: number): Mover[] {
  const { tickers, close, value } = panel.columns;
  return stocks
    .filter(({ isLiquid, changePct }) => isLiquid && changePct !== null && changePct * sign > 0)
    .map(({ ticker, row, changePct }) => ({
      ticker: tickers[ticker]!,
      close: close[row]!,
      changePct: changePct!,
      value: value[row]!,
    }))
    .toSorted(
      (a, b) => sign * (b.changePct - a.changePct) || b.value - a.value || (a.ticker < b.ticker ? -1 : 1),
    )
    .slice(0, count);
}
