import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { Matches, StatedFactors } from '#quant/corporate-actions/match-actions.ts';
import { detectedKind } from '#quant/corporate-actions/corporate-action.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import type { DraftVersion } from '../draft-version.ts';
import { matchTable } from './match-table.ts';

/** A row of `market.corporate_action` without its version. */
interface ActionRow {
  ticker: string;
  kind: string;
  ex_date: string;
  known_on: string;
  ratio: number | null;
  amount: number | null;
  new_ticker: string;
  board: string;
  index_name: string;
  membership: string;
  source: string;
  note: string;
  status: string;
  applied_on: string | null;
}

/** What the corporate actions of a version say, stored. */
export interface StoredActions {
  matches: Matches;
  /** Whether they say about some bar something else than what is detected there. */
  hasFactors: boolean;
}

/** The table of corporate actions of a version, as it was imported. */
export async function readActionTable(client: ClickHouseClient, version: string): Promise<StatedAction[]> {
  const response = await client.query({
    query: `SELECT * EXCEPT (dataset_version, status, applied_on) FROM market.corporate_action
            WHERE dataset_version = {version:String} AND status != 'overruled'
            ORDER BY ticker, ex_date, kind, index_name`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  const rows = await response.json<Omit<ActionRow, 'status' | 'applied_on'>>();
  return rows.map(({ index_name, ...row }) => {
    const stated = { ...row, index: index_name };
    return Object.fromEntries(
      Object.entries(stated).filter(([, value]) => value !== '' && value !== null),
    ) as unknown as StatedAction;
  });
}

/**
 * Compares the corporate actions of a version with what its rows show, stores both, and stages the factors that they state. The
 * refused closes of the version must be stored first.
 */
export async function storeActions(client: ClickHouseClient, draft: DraftVersion): Promise<StoredActions> {
  const { version, staging, actions } = draft;
  const matches = await matchTable(client, draft);
  if (actions.length === 0) return { matches, hasFactors: false };
  const insert = (table: string, rows: object[]) =>
    rows.length === 0 ? undefined : client.insert({ table, values: rows, format: 'JSONEachRow' });
  await insert(
    'market.corporate_action',
    actionRows(matches).map((row) => ({ dataset_version: version, ...row })),
  );
  await insert(
    'market.late_factor',
    matches.factors.filter(isLate).map(({ ticker, date, knownOn, before }) => ({
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
    matches.factors.map(({ ticker, date, factors }) => ({
      ticker,
      date,
      factor: factors.price,
      share_factor: factors.share,
    })),
  );
  return { matches, hasFactors: matches.factors.length > 0 };
}

/** Whether a bar must be seen differently as of days before the action was known. */
export function isLate({ date, knownOn }: StatedFactors): boolean {
  return knownOn > date;
}

function actionRows({ actions, overruled }: Matches): ActionRow[] {
  const stated = actions.map(({ action, status, appliedOn }) => rowOf(action, status, appliedOn));
  const detected = overruled.map(({ ticker, date, factors, knownOn, source }) => {
    const kind = detectedKind(factors);
    const ratio = factors.share === 1 ? undefined : 1 / factors.share;
    return { ...rowOf({ ticker, ex_date: date, known_on: knownOn, ratio, source }, 'overruled'), kind };
  });
  return [...stated, ...detected];
}

type RowFacts = { [K in keyof Omit<StatedAction, 'kind'>]: StatedAction[K] | undefined } & { kind?: string };

function rowOf(
  { ticker, kind = '', ex_date, known_on, ratio, amount, index, ...texts }: RowFacts,
  status: string,
  appliedOn?: string,
): ActionRow {
  const { new_ticker = '', board = '', membership = '', source = '', note = '' } = texts;
  return {
    ticker: ticker!,
    kind,
    ex_date: ex_date!,
    known_on: known_on!,
    ratio: ratio ?? null,
    amount: amount ?? null,
    new_ticker,
    board,
    index_name: index ?? '',
    membership,
    source,
    note,
    status,
    applied_on: appliedOn ?? null,
  };
}
