import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { ServiceError } from '#shared/service-error.ts';
import { normalized } from '../answers/tickers.ts';

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

/** The error when no broker row has it. */
export function noBrokerRows(what: string): ServiceError {
  return new ServiceError('not_found', `There are no broker rows of ${what}.`);
}
