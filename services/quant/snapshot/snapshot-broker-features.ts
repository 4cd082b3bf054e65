import type { BrokerFlow } from '../broker-rows/broker-flow.ts';
import { brokerTotals, netValue } from '../broker-rows/broker-totals.ts';
import type { ClassFlows } from '../broker-rows/class-flows.ts';
import { classTotals } from '../broker-rows/class-totals.ts';
import type { Panel } from '../panel/panel.ts';
import { foreignNetValue, sumOverDays } from '../panel/windows.ts';
import { tradedSeries, type TradedSeries } from '../panel/traded-series.ts';
import type { BrokerFeatures } from './snapshot-features.ts';

/** The broker rows of a panel: each as it was, and added up by class of broker. */
interface MarketFlows {
  brokerFlow: BrokerFlow;
  classFlows: ClassFlows;
}

/**
 * Features of `ticker` (index) from the broker rows of the regular market as of `asOfDay` (calendar index). null where
 * a day that counts has no rows though the stock traded, or is not in memory. Rows of later days have no influence.
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
 * Of one day:
 * - top5_buyer_share_pct: 100 × bought by the five largest gross buyers / bought by all; null when only nets are known.
 * - accum_score: 100 × (net bought by the five largest net buyers - net sold by the five largest net sellers) / net
 *   bought by all net buyers. 100 when a few took what many gave away, -100 the other way round, 0 when both sides are
 *   as concentrated; null without a net buyer. Rows that lack a side are divided by the larger of both, so that
 *   the bounds hold. Source: the accumulation/distribution rule of Indonesian broker summaries, by which a score under
 *   6 either way is neutral and one from 20 on is strong.
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

/** Both numbers of a day look back so far: exchange days of money, traded bars of price. */
const MOVE_DAYS = 5;
/** Traded bars that say what is usual of the stock, and how many of them must be known. */
const USUAL_BARS = 60;
const MIN_BARS = 40;
/** A spread below this part of the values, or of 1, is rounding. */
const RELATIVE_TOLERANCE = 1e-12;

/**
 * z(net value bought by local institutions and foreign investors in 5 days) - z(return over 5 bars): positive when they
 * bought more, against what is usual of the stock, than its price shows. Each z is (last - mean) / population standard
 * deviation over the stock's last 60 traded bars up to `asOfDay`, the last of them included; bars whose flow is not
 * known are left out. null when the last one is not known, when fewer than 40 are, or when one of both never varies.
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
