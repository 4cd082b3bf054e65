import type { ClassFlows } from '../broker-flow/class-flows.ts';
import type { Panel } from '../panel/panel.ts';
import { tradedSeries, type TradedSeries } from '../series/traded-series.ts';
import { foreignNetValue, sumOverDays } from './money-windows.ts';

/** Both numbers of a day look back so far: exchange days of money, traded bars of price. */
const MOVE_DAYS = 5;
/** Traded bars that say what is usual of the stock, and how many of them must be known. */
const USUAL_BARS = 60;
const MIN_BARS = 40;
/** A spread below this part of the values, or of 1, is rounding. */
const RELATIVE_TOLERANCE = 1e-12;

/**
 * z(net value bought by local institutions and foreign investors in 5 days) - z(return over 5 bars): positive when they
 * bought more, against what is usual of the stock, than its price tells. Each z is (last - mean) / population standard
 * deviation over the stock's last 60 traded bars up to `asOfDay`, the last of them included; bars whose flow is not
 * known are left out. null when the last one is not known, when fewer than 40 are, or when one of both never varies.
 */
export function smartMoneyDivergence(
  panel: Panel,
  flows: ClassFlows,
  ticker: number,
  asOfDay: number,
): number | null {
  const series = tradedSeries(panel, ticker, asOfDay, USUAL_BARS + MOVE_DAYS);
  const [bought, returns]: [number[], number[]] = [[], []];
  for (let bar = MOVE_DAYS; bar < series.day.length; bar++) {
    const value = smartMoney(panel, flows, ticker, series.day[bar]!);
    if (value === null && bar === series.day.length - 1) return null;
    if (value === null) continue;
    bought.push(value);
    returns.push(returnOver(series, bar));
  }
  if (bought.length < MIN_BARS) return null;
  const [flowScore, priceScore] = [zScoreOfLast(bought), zScoreOfLast(returns)];
  return flowScore === null || priceScore === null ? null : flowScore - priceScore;
}

function smartMoney(panel: Panel, flows: ClassFlows, ticker: number, day: number): number | null {
  const bandar = flows.netValue('bandar', ticker, day, MOVE_DAYS);
  if (bandar === null) return null;
  return bandar + sumOverDays(panel, ticker, day, MOVE_DAYS, (row) => foreignNetValue(panel, row));
}

function returnOver({ close }: TradedSeries, bar: number): number {
  return close[bar]! / close[bar - MOVE_DAYS]! - 1;
}

function zScoreOfLast(values: readonly number[]): number | null {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);
  const deviation = Math.sqrt(variance);
  return deviation > RELATIVE_TOLERANCE * scale ? (values.at(-1)! - mean) / deviation : null;
}
