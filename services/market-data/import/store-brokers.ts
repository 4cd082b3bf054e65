import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { storeBrokerRows } from './broker/store-broker-rows.ts';
import { storeBrokerTable } from './broker/store-broker-table.ts';
import type { DraftVersion } from './draft-version.ts';
import { keepBrokerRows } from './keep-broker-rows.ts';
import type { Progress } from './progress.ts';
import { NO_BROKER_ROWS, type StoredBrokerRows } from './stored-broker-rows.ts';
import { storeSyntheticBrokers } from './synthesis/store-synthetic-brokers.ts';
import type { SynthesizeBrokerRows } from './synthesis/synthesize-broker-rows.ts';

/** Stores the broker table and the broker rows of a version whose bars are stored and which is not published yet. */
export async function storeBrokers(
  deps: { client: ClickHouseClient; synthesize: SynthesizeBrokerRows },
  draft: DraftVersion,
  work: { progress: Progress; signal: AbortSignal },
): Promise<StoredBrokerRows> {
  const { client } = deps;
  const { base, version, staging } = draft;
  await storeBrokerTable(client, { version, base, uploaded: staging.brokers.table });
  switch (draft.brokers.origin) {
    case 'none':
      return NO_BROKER_ROWS;
    case 'base':
      return keepBrokerRows(client, { ...draft, base: base! });
    case 'upload':
      return storeBrokerRows({ ...draft, client, staging: staging.brokers }, work);
    case 'generator':
      return storeSyntheticBrokers(deps, draft, work);
  }
}
