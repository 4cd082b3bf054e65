import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import type { ClassFlows } from '#quant/broker-rows/class-flows.ts';
import type { Universes } from '#quant/corporate-actions/universes.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { StockActions } from './stock-actions.ts';

/** A dataset in memory. Immutable: a response uses the same dataset from start to end, even if another one is loaded. */
export interface LoadedDataset extends Market {
  dataset: Dataset;
}

/** The data that answers are computed from. */
export interface Market {
  panel: Panel;
  /** Only the newest days; no rows if the dataset has none. */
  brokerFlow: BrokerFlow;
  classFlows: ClassFlows;
  actions: StockActions;
  universes: Universes;
}

/** @param loaded the dataset that is in memory so far */
export type LoadMarket = (dataset: Dataset, loaded: LoadedDataset | undefined) => Promise<Market>;

export interface RowCounts {
  bars: number;
  brokerRows: number;
}

/** A version has other row counts in the store than when it was published, which would silently change every response. */
export class IncompleteDataset extends Error {
  override readonly name = 'IncompleteDataset';

  constructor(version: string, stored: Partial<RowCounts>, published: Partial<RowCounts>) {
    const described = ({ bars, brokerRows }: Partial<RowCounts>) =>
      [`${bars} bars`, ...(brokerRows === undefined ? [] : [`${brokerRows} broker rows`])].join(' and ');
    super(`${version} has ${described(stored)}, not ${described(published)}`);
  }
}
