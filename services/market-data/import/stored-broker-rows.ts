import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';

/** What a dataset says of its broker rows once they are stored. */
export type StoredBrokerRows = Pick<
  Dataset,
  'broker_data' | 'broker_rows' | 'broker_first_date' | 'broker_last_date' | 'broker_segments' | 'broker_seed'
>;

export const NO_BROKER_ROWS: StoredBrokerRows = {
  broker_data: 'none',
  broker_rows: 0,
  broker_first_date: '',
  broker_last_date: '',
  broker_segments: [],
};

/** The segment of a month (`YYYY-MM`) that a version adds; no two versions ever have the same name. */
export function segmentName(month: string, version: string): string {
  return `${month}.${version}`;
}
