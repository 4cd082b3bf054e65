import type { Broker, BrokerTableChange, Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { DatasetStore } from '../store/dataset-store.ts';
import { defaultBrokers } from './broker/broker-table.ts';

/** What an uploaded table takes the place of; undefined without one. */
export async function brokerTableChange(
  store: DatasetStore,
  { base, uploaded }: { base: Dataset | undefined; uploaded: Broker[] },
): Promise<BrokerTableChange | undefined> {
  if (uploaded.length === 0) return undefined;
  const before = base ? (await store.brokers(base.version)).brokers : defaultBrokers();
  return { brokers: uploaded.length, brokers_before: before.length };
}
