import type { GetNegoBrokersResponse, NegoBroker } from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerTotal } from '#quant/broker-rows/broker-totals.ts';
import type { FlowBrokers } from '#quant/broker-rows/broker-flow.ts';
import { negoTotal } from '#quant/nego/nego-total.ts';
import type { BrokerRowsOfDay } from '../in-memory/older-broker-days.ts';
import { brokerFacts, net } from '../broker-answers/broker-figures.ts';
import { brokerDay, type BrokersOfDay } from '../broker-answers/brokers.ts';
import { adjustedTo } from './adjustment.ts';
import { rounded, roundedFraction } from './adjustment.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * Who stood on which side of a stock's negotiated trades of one day. `today` is the day in Jakarta.
 * @throws ServiceError data_unavailable, not_found for an unknown ticker or a day without rows
 */
export async function negoBrokersOf(
  loaded: LoadedDataset,
  request: Omit<BrokersOfDay, 'market'>,
  today: string,
  rowsOfDay: BrokerRowsOfDay,
): Promise<GetNegoBrokersResponse> {
  const found = await brokerDay(loaded, { ...request, market: 'NEGO' }, today, rowsOfDay);
  const { answer, ticker, day, listed, brokers } = found;
  const { panel } = loaded;
  const { avgPrice, premium } = negoTotal(panel, ticker, day, day, adjustedTo(panel));
  return {
    ...answer,
    nego_avg_price: avgPrice === null ? undefined : rounded(avgPrice),
    nego_premium: premium === null ? undefined : roundedFraction(premium),
    brokers: listed.map((total) => negoBroker(brokers, total)),
  };
}

function negoBroker(brokers: FlowBrokers, total: BrokerTotal): NegoBroker {
  const { net_value } = net(total);
  return {
    ...brokerFacts(brokers, total.broker),
    buy_shares: Math.round(total.buyShares),
    buy_value: total.buyValue,
    sell_shares: Math.round(total.sellShares),
    sell_value: total.sellValue,
    crossed_value: Math.min(total.buyValue, total.sellValue),
    net_value,
  };
}
