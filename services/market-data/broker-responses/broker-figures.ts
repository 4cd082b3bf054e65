import type {
  BrokerBuyer,
  BrokerSeller,
  BrokerTotals,
  BrokerWindowRow,
} from '#proto/saring/market_data/v1/market_data.ts';
import { netValue, type BrokerTotal, type Trading } from '#quant/broker-rows/broker-totals.ts';
import { classTotals } from '#quant/broker-rows/class-totals.ts';
import type { FlowBrokers, BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { rounded } from '../responses/adjustment.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { codeOf } from '#foundation/text/codes.ts';

/** Master data of a broker (index). */
export function brokerFacts({ codes, names, isRetail, isForeign }: FlowBrokers, broker: number) {
  return {
    broker: codes[broker]!,
    broker_name: names[broker] ?? undefined,
    is_retail: isRetail[broker] === 1,
    is_foreign: isForeign[broker] === 1,
  };
}

/** The trades of a broker, over a span or on one day. */
type Dealt = Omit<Trading, 'activeDays' | 'netBuyDays' | 'netSellDays'>;

export function bought({ buyShares, buyUnits, buyValue, hasNetRows }: Dealt) {
  const avg_buy_price = averagePrice(buyValue, buyUnits, hasNetRows);
  return { buy_shares: Math.round(buyShares), buy_value: buyValue, avg_buy_price };
}

export function sold({ sellShares, sellUnits, sellValue, hasNetRows }: Dealt) {
  const avg_sell_price = averagePrice(sellValue, sellUnits, hasNetRows);
  return { sell_shares: Math.round(sellShares), sell_value: sellValue, avg_sell_price };
}

/** Net shares are the difference of the rounded shares, so that the three numbers agree. */
export function net(dealt: Dealt) {
  const net_shares = Math.round(dealt.buyShares) - Math.round(dealt.sellShares);
  return { net_shares, net_value: netValue(dealt) };
}

/** In IDR per share. Undefined without shares, and with net rows, whose shares and value may be on different sides. */
export function averagePrice(value: number, units: number, hasNetRows: boolean): number | undefined {
  return units > 0 && !hasNetRows ? rounded(value / units) : undefined;
}

export function buyerRow(brokers: FlowBrokers, total: BrokerTotal): BrokerBuyer {
  return { ...brokerFacts(brokers, total.broker), ...bought(total), ...net(total) };
}

export function sellerRow(brokers: FlowBrokers, total: BrokerTotal): BrokerSeller {
  return { ...brokerFacts(brokers, total.broker), ...sold(total), ...net(total) };
}

export function windowRow(brokers: FlowBrokers, total: BrokerTotal): BrokerWindowRow {
  return {
    ...brokerFacts(brokers, total.broker),
    ...bought(total),
    ...sold(total),
    ...net(total),
    active_days: total.activeDays,
    net_buy_days: total.netBuyDays,
    net_sell_days: total.netSellDays,
  };
}

interface BesideTotals {
  /** In IDR; null where no source says it. */
  foreignInvestorNet: number | null;
  /** Whether some day has only net rows. Then it is unknown who bought most, gross. */
  hasNetRows: boolean;
}

export function totalsOf(
  brokers: FlowBrokers,
  all: readonly BrokerTotal[],
  { foreignInvestorNet, hasNetRows }: BesideTotals,
): BrokerTotals {
  const { concentration, ...totals } = classTotals(brokers, all);
  return {
    buy_value: totals.buyValue,
    sell_value: totals.sellValue,
    net_value: totals.buyValue - totals.sellValue,
    buy_shares: Math.round(totals.buyShares),
    sell_shares: Math.round(totals.sellShares),
    foreign_buy_value: totals.foreignBuyValue,
    foreign_sell_value: totals.foreignSellValue,
    foreign_net_value: totals.foreignBuyValue - totals.foreignSellValue,
    retail_net_value: totals.retailNetValue,
    bandar_net_value: totals.bandarNetValue,
    foreign_investor_net_value: foreignInvestorNet === null ? undefined : Math.round(foreignInvestorNet),
    top5_buyer_net_value: totals.top5BuyerNetValue,
    top5_seller_net_value: totals.top5SellerNetValue,
    concentration_pct: concentration === null || hasNetRows ? undefined : rounded(100 * concentration),
  };
}

/**
 * A requested broker code in upper case, and its index in the rows.
 * @throws ServiceError not_found when neither the rows nor the broker table have it
 */
export function requireBroker(flow: BrokerFlow, wanted: string): { broker: string; index: number } {
  const broker = codeOf(wanted);
  const index = flow.brokerIndex(broker);
  if (index < 0) throw new ServiceError('not_found', `There is no data for the broker ${broker}.`);
  return { broker, index };
}

export function noBrokerRows(what: string): ServiceError {
  return new ServiceError('not_found', `There are no broker rows of ${what}.`);
}
