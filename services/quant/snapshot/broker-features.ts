import type { BrokerFlow } from '../broker-flow/broker-flow.ts';
import { brokerTotals } from '../broker-flow/broker-totals.ts';
import type { ClassFlows } from '../broker-flow/class-flows.ts';
import { classTotals } from '../broker-flow/class-totals.ts';
import { netValue } from '../broker-flow/trading.ts';
import type { Panel } from '../panel/panel.ts';
import { smartMoneyDivergence } from './smart-money-divergence.ts';
import type { BrokerFeatures } from './snapshot-features.ts';

/** The broker rows of a panel: each as it was, and added up by class of broker. */
export interface MarketFlows {
  brokerFlow: BrokerFlow;
  classFlows: ClassFlows;
}

/**
 * What the broker rows of the regular market tell of `ticker` (index) as seen on `asOfDay` (calendar index). null where
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
    smart_money_divergence: smartMoneyDivergence(panel, classFlows, ticker, asOfDay),
    ...largestBrokers(panel, brokerFlow, ticker, asOfDay),
  };
}

/**
 * Of one day:
 * - top5_buyer_share_pct: 100 × bought by the five largest gross buyers / bought by all; null when only nets are known.
 * - accum_score: 100 × (net bought by the five largest net buyers - net sold by the five largest net sellers) / net
 *   bought by all net buyers. 100 when a few took what many gave away, -100 the other way round, 0 when both sides are
 *   as concentrated; null when nobody was a net buyer. Rows that lack a side are divided by the larger of both, so that
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
