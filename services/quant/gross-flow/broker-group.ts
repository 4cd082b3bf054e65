import { AT } from '../broker-days/measures.ts';

/** Whose buying is followed. */
export const BROKER_GROUPS = ['all', 'foreign', 'bandar', 'ex_retail'] as const;
export type BrokerGroup = (typeof BROKER_GROUPS)[number];

export interface GroupMeasures {
  /** Measures, by their place, that add up to what the group bought, net / turnover. */
  nets: readonly number[];
  /** Of each class of broker in it, the places of what its net buyers paid in all and on average. */
  entries: readonly { entry: number; price: number }[];
}

const RETAIL = { entry: AT.retail_entry, price: AT.retail_entry_price };
const FOREIGN = { entry: AT.foreign_entry, price: AT.foreign_entry_price };
const BANDAR = { entry: AT.bandar_entry, price: AT.bandar_entry_price };

/**
 * Brokers together always buy what they sell; of all of them the five largest net buyers, less the five largest net
 * sellers, are followed.
 */
export const GROUP_MEASURES: Readonly<Record<BrokerGroup, GroupMeasures>> = {
  all: { nets: [AT.top5_net], entries: [RETAIL, FOREIGN, BANDAR] },
  foreign: { nets: [AT.foreign_net], entries: [FOREIGN] },
  bandar: { nets: [AT.bandar_net], entries: [BANDAR] },
  ex_retail: { nets: [AT.foreign_net, AT.bandar_net], entries: [FOREIGN, BANDAR] },
};
