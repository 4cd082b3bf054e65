import { detectedKind, type StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { Matches, StatedFactors } from '#quant/corporate-actions/match-actions.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { insertActions, readActions, statedIn, type StoredAction } from '../store/action-rows.ts';
import type { DraftVersion } from './draft-version.ts';
import { matchTable } from './actions/match-table.ts';

/** What the corporate actions of a version say, stored. */
export interface StoredActions {
  matches: Matches;
  /** Whether they say about some bar something else than what is detected there. */
  hasFactors: boolean;
}

/** The table of corporate actions of a version, as it was imported. */
export async function readActionTable(client: ClickHouseClient, version: string): Promise<StatedAction[]> {
  return statedIn(await readActions(client, version));
}

/**
 * Compares the corporate actions of a version with what its rows show, stores both, and stages the factors that they state. The
 * refused closes of the version must be stored first.
 */
export async function storeActions(client: ClickHouseClient, draft: DraftVersion): Promise<StoredActions> {
  const { version, staging } = draft;
  const matches = await matchTable(client, draft);
  const { factors } = matches;
  await insertActions(client, version, actionRows(matches));
  const insert = (table: string, rows: object[]) =>
    rows.length === 0 ? undefined : client.insert({ table, values: rows, format: 'JSONEachRow' });
  await insert(
    'market.late_factor',
    factors.filter(isLate).map(({ ticker, date, knownOn, before }) => ({
      dataset_version: version,
      ticker,
      date,
      known_on: knownOn,
      factor: before.price,
      share_factor: before.share,
    })),
  );
  await insert(
    staging.statedFactors,
    factors.map(({ ticker, date, factors: { price, share } }) => ({
      ticker,
      date,
      factor: price,
      share_factor: share,
    })),
  );
  return { matches, hasFactors: factors.length > 0 };
}

/** Whether a bar must be seen differently as of days before the action was known. */
export function isLate({ date, knownOn }: StatedFactors): boolean {
  return knownOn > date;
}

function actionRows({ actions, overruled }: Matches): StoredAction[] {
  const stated = actions.map(({ action, status, appliedOn }) => ({
    ...action,
    status,
    ...(appliedOn !== undefined && { applied_on: appliedOn }),
  }));
  const detected = overruled.map(({ ticker, date, factors, knownOn }): StoredAction => ({
    ticker,
    kind: detectedKind(factors),
    ex_date: date,
    known_on: knownOn,
    ...(factors.share !== 1 && { ratio: 1 / factors.share }),
    status: 'overruled',
  }));
  return [...stated, ...detected];
}
