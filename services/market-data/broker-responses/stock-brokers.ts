import type { BrokerBuyer, BrokerSeller, BrokerTotals } from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlow, StockSpan } from '#quant/broker-rows/broker-flow.ts';
import { brokerTotals, type BrokerTotal } from '#quant/broker-rows/broker-totals.ts';
import { dayCompleteness, daysWithRows } from '#quant/broker-rows/completeness.ts';
import { largest, sidesOf, type RankedBy } from '#quant/broker-rows/ranking.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { foreignNetValue, orNull } from '#quant/panel/windows.ts';
import { buyerRow, sellerRow, totalsOf } from './broker-figures.ts';
import { isDayPartial } from '../responses/partial-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

interface Ranking {
  by: RankedBy;
  /** The length of each list: top buyers and top sellers. */
  limit: number;
}

/** The brokers of a stock over a span of days: the common part of the answers for one day and for a window. */
interface StockBrokers {
  /** Fields of the wire format. */
  shared: {
    broker_count: number;
    totals: BrokerTotals;
    top_buyers: BrokerBuyer[];
    top_sellers: BrokerSeller[];
  };
  /** Every broker in either list, once, by code. */
  listed: BrokerTotal[];
}

export function stockBrokers(
  panel: Panel,
  flow: BrokerFlow,
  span: StockSpan,
  ranking: Ranking,
): StockBrokers {
  const { brokers } = flow.columns;
  const all = brokerTotals(panel, flow, span);
  const days = daysWithRows(flow, span);
  const { buying, selling } = sidesOf(span.market, ranking.by);
  const buyers = largest(all, buying, ranking.limit);
  const sellers = largest(all, selling, ranking.limit);
  const either = new Set([...buyers, ...sellers]);
  return {
    shared: {
      broker_count: all.length,
      totals: totalsOf(brokers, all, {
        foreignInvestorNet: foreignInvestorNet(panel, span, days),
        hasNetRows: days.some((day) => flow.isNet(span.market, span.ticker, day)),
      }),
      top_buyers: buyers.map((total) => buyerRow(brokers, total)),
      top_sellers: sellers.map((total) => sellerRow(brokers, total)),
    },
    listed: all.filter((total) => either.has(total)),
  };
}

/**
 * The completeness of the rows of a stock-day; null if there are none. The dataset's last day is partial as long as it
 * may still change.
 */
export function dayFacts(
  loaded: LoadedDataset,
  flow: BrokerFlow,
  { market, ticker }: Pick<StockSpan, 'market' | 'ticker'>,
  day: number,
  today: string,
) {
  const { panel } = loaded;
  const completeness = dayCompleteness(panel, flow, market, ticker, day);
  if (!completeness) return null;
  const mayChange = isDayPartial(loaded, day, today);
  return { ...completeness, isPartial: completeness.isPartial || mayChange };
}

/** Sums only days that have broker rows, to be comparable with them; null outside the regular market, and if one is not said. */
function foreignInvestorNet(
  panel: Panel,
  { market, ticker }: StockSpan,
  daysWithRows: number[],
): number | null {
  if (market !== 'REG') return null;
  return orNull(daysWithRows.reduce((sum, day) => sum + foreignNetValue(panel, panel.rowAt(ticker, day)), 0));
}
