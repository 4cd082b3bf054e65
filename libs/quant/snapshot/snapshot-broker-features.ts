import type { BrokerFlow } from '../broker-rows/broker-flow.ts';
import { brokerTotals, netValue } from '../broker-rows/broker-totals.ts';
import type { ClassFlows } from '../broker-rows/class-flows.ts';
import { classTotals } from '../broker-rows/class-totals.ts';
import { relativeMove } from '../price-move.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNetValue, orNull, sumOverDays } from '../panel/windows.ts';
import { tradedSeries, type TradedSeries } from '../panel/traded-series.ts';
import type { BrokerFeatures } from './snapshot-features.ts';

/** The broker rows of a panel, row by row and summed by class of broker. */
interface MarketFlows {
  brokerFlow: BrokerFlow;
  classFlows: ClassFlows;
}

/**
 * Features of `ticker` (index) from the broker rows of the regular market as of `asOfDay` (calendar index). Null where a
 * relevant day has no rows although the stock traded, or is not in memory. Rows of later days have no influence.
 */
export function brokerFeatures(
  panel: Panel,
  { brokerFlow, classFlows }: MarketFlows,
  ticker: number,
  asOfDay: number,
): BrokerFeatures {
  const net = (of: 'bandar' | 'retail', days: number) => classFlows.netValue(of, ticker, asOfDay, days);
  return {
    bandar_net_value_1d: net('bandar', 1),
    bandar_net_value_5d: net('bandar', 5),
    bandar_net_value_20d: net('bandar', 20),
    retail_net_value_1d: net('retail', 1),
    retail_net_value_5d: net('retail', 5),
    smart_money_divergence: smartMoneyDivergenceByBars(panel, classFlows, ticker, asOfDay),
    ...largestBrokers(panel, brokerFlow, ticker, asOfDay),
  };
}

/**
 * Figures of one day:
 * - top5_buyer_share_pct: 100 × bought by the five largest gross buyers / bought by all; null when only nets are known.
 * - accum_score: 100 × (net bought by the five largest net buyers - net sold by the five largest net sellers) / net bought by
 *   all net buyers. 100 when a few brokers bought what many sold, -100 for the reverse, 0 when both sides are equally
 *   concentrated; null without a net buyer. When rows of one side are missing, the divisor is the larger of both sides, so
 *   that the bounds hold. Source: the accumulation/distribution rule of Indonesian broker summaries, in which a score below 6
 *   either way is neutral and one of 20 or more is strong.
 */
function largestBrokers(
  panel: Panel,
  flow: BrokerFlow,
  ticker: number,
  day: number,
): Pick<BrokerFeatures, 'top5_buyer_share_pct' | 'accum_score'> {
  const totals = brokerTotals(panel, flow, { market: 'REG', ticker, firstDay: day, lastDay: day });
  const { top5BuyerNetValue, top5SellerNetValue, concentration } = classTotals(flow.columns.brokers, totals);
  const isShareKnown = concentration !== null && !flow.isNet('REG', ticker, day);
  const [netBought, netSold] = [1, -1].map((side) =>
    totals.reduce((sum, total) => sum + Math.max(0, side * netValue(total)), 0),
  ) as [number, number];
  const whole = Math.max(netBought, netSold);
  return {
    top5_buyer_share_pct: isShareKnown ? 100 * concentration : null,
    accum_score: whole > 0 ? (100 * (top5BuyerNetValue + top5SellerNetValue)) / whole : null,
  };
}

/** Both figures of a day look back this far: exchange days for money, traded bars for price. */
const MOVE_DAYS = 5;
/** Traded bars that define what is usual for the stock, and how many of them must be known. */
const USUAL_BARS = 60;
const MIN_BARS = 40;
/** A standard deviation below this fraction of the largest value, or of 1, is rounding. */
const RELATIVE_TOLERANCE = 1e-12;

/**
 * z(net value bought by local institutions and foreign investors in 5 days) - z(return over 5 bars). Positive when they
 * bought more than usual and the price does not show it yet. Each z is (last - mean) / population standard deviation over the
 * stock's last 60 traded bars up to `asOfDay`, including the last; bars with an unknown flow are left out. Null when the last
 * flow is unknown, when fewer than 40 are known, or when either never varies.
 */
function smartMoneyDivergenceByBars(
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
  return orNull(bandar + sumOverDays(panel, ticker, day, MOVE_DAYS, (row) => foreignNetValue(panel, row)));
}

function returnOver({ close }: TradedSeries, bar: number): number {
  return relativeMove(close[bar - MOVE_DAYS]!, close[bar]!);
}

function zScoreOfLast(values: readonly number[]): number | null {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const scale = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1);
  const deviation = Math.sqrt(variance);
  return deviation > RELATIVE_TOLERANCE * scale ? (values.at(-1)! - mean) / deviation : null;
}
