import type { ActionStatus } from '#quant/corporate-actions/match-actions.ts';
import type { DetectedKind, StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';

/** A corporate action of a version: stated by its table, or detected and overruled by it. */
export interface StoredAction extends Omit<StatedAction, 'kind'> {
  kind: StatedAction['kind'] | DetectedKind;
  status: ActionStatus | 'overruled';
  /** The bar before which it restates prices, YYYY-MM-DD; absent if it restates none. */
  applied_on?: string;
}

/** What the table of a version states, without what it overrules. */
export function statedIn(stored: readonly StoredAction[]): StatedAction[] {
  return stored
    .filter(({ status }) => status !== 'overruled')
    .map(({ status: _, applied_on: __, ...stated }) => stated as StatedAction);
}

const TEXTS = ['new_ticker', 'board', 'membership', 'source', 'note'] as const;

export async function insertActions(
  client: ClickHouseClient,
  version: string,
  actions: readonly StoredAction[],
): Promise<void> {
  if (actions.length === 0) return;
  await client.insert({
    table: 'market.corporate_action',
    values: actions.map(({ index = '', ratio = null, amount = null, applied_on = null, ...action }) => ({
      dataset_version: version,
      ...Object.fromEntries(TEXTS.map((name) => [name, ''])),
      ...action,
      ratio,
      amount,
      applied_on,
      index_name: index,
    })),
    format: 'JSONEachRow',
  });
}

/** The corporate actions of a version, ordered by ticker, day and kind. What is only detected is not among them. */
export async function readActions(client: ClickHouseClient, version: string): Promise<StoredAction[]> {
  const query = `SELECT * EXCEPT (dataset_version, index_name), index_name AS index FROM market.corporate_action
    WHERE dataset_version = {version:String}
    ORDER BY ticker, ex_date, kind, index`;
  const rows = await clickhouseRows<Record<string, unknown>>(client, query, { version });
  const present = ([, value]: [string, unknown]) => value !== '' && value !== null;
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).filter(present)) as unknown as StoredAction,
  );
}
