import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import { MARKETS, type Market } from '#quant/broker-flow/flow-columns.ts';
import { RANKED_BY, type RankedBy } from '#quant/broker-flow/ranking.ts';
import { ServiceError } from '#shared/service-error.ts';
import { requireOneOf, requireWithin } from './bounds.ts';
import { normalized } from './tickers.ts';

/** Most buyers and most sellers of one stock. */
const MAX_BROKERS = 50;

/** @throws ServiceError invalid_request */
export function requireMarket(market: string): Market {
  return requireOneOf('market', market, MARKETS);
}

/** @throws ServiceError invalid_request */
export function requireSortBy(sortBy: string): RankedBy {
  return requireOneOf('sort_by', sortBy, RANKED_BY);
}

/** @throws ServiceError invalid_request */
export function requireTopBrokers(topN: number): void {
  requireWithin('top_n', topN, 1, MAX_BROKERS);
}

/**
 * A broker code of a request in upper case, and its index in the rows.
 * @throws ServiceError not_found when neither rows nor broker table have it
 */
export function requireBroker(flow: BrokerFlow, wanted: string): { broker: string; index: number } {
  const broker = normalized(wanted);
  const index = flow.brokerIndex(broker);
  if (index < 0) throw new ServiceError('not_found', `There is no data for the broker ${broker}.`);
  return { broker, index };
}

/** The error of what no broker row tells of. */
export function noBrokerRows(what: string): ServiceError {
  return new ServiceError('not_found', `There are no broker rows of ${what}.`);
}
