import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import type { ClassFlows } from '#quant/broker-rows/class-flows.ts';
import type { Panel } from '#quant/panel/panel.ts';

/** A dataset in memory. Immutable: an answer that began with one ends with it, whatever is loaded meanwhile. */
export interface LoadedDataset extends Market {
  dataset: Dataset;
}

/** What answers are made from. */
export interface Market {
  panel: Panel;
  /** Of the newest days; without rows when the dataset has none. */
  brokerFlow: BrokerFlow;
  /** The same by class of broker. */
  classFlows: ClassFlows;
}

/** Given the dataset that is in memory so far. */
export type LoadMarket = (dataset: Dataset, loaded: LoadedDataset | undefined) => Promise<Market>;

export interface RowCounts {
  bars: number;
  brokerRows: number;
}

/** Other rows of a version are stored than were published: they would silently change every answer. */
export class IncompleteDataset extends Error {
  override readonly name = 'IncompleteDataset';

  constructor(version: string, stored: Partial<RowCounts>, published: Partial<RowCounts>) {
    const described = ({ bars, brokerRows }: Partial<RowCounts>) =>
      [`${bars} bars`, ...(brokerRows === undefined ? [] : [`${brokerRows} broker rows`])].join(' and ');
    super(`${version} has ${described(stored)}, not ${described(published)}`);
  }
}
