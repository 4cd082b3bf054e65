import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';

/** What a dataset tells of its broker rows once they are stored. */
export type StoredBrokerRows = Pick<
  Dataset,
  'broker_data' | 'broker_rows' | 'broker_first_date' | 'broker_last_date' | 'broker_segments'
>;

export const NO_BROKER_ROWS: StoredBrokerRows = {
  broker_data: 'none',
  broker_rows: 0,
  broker_first_date: '',
  broker_last_date: '',
  broker_segments: [],
};

/** Stores broker rows and the broker table of a version whose bars are stored and which is not published yet. */
export type StoreBrokerRows = (version: string) => Promise<StoredBrokerRows>;
