import { isAdjusting, type StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { MatchedAction, Matches } from '#quant/corporate-actions/match-actions.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import type { DraftVersion } from '../merging/draft-version.ts';
import { isLate } from './match-table.ts';

/** What differs between the table and the prices, with the stocks and days where it does. */
interface Finding {
  finding: string;
  at: string[];
}

/**
 * Stores where the corporate actions of a version differ from what its prices show. Nothing without a table: what is detected
 * alone is told by every read. The bars must be stored first.
 */
export async function storeActionFindings(
  client: ClickHouseClient,
  { version, actions, lastDate }: DraftVersion,
  matches: Matches,
): Promise<void> {
  if (actions.length === 0) return;
  const placeOf = ({ ticker, ex_date }: StatedAction) => `${ticker} ${ex_date}`;
  const found: Finding[] = [
    {
      finding: 'detected corporate action that the table overrules',
      at: matches.overruled.map(({ ticker, date }) => `${ticker} ${date}`),
    },
    {
      finding: 'stated corporate action that no reference price shows',
      at: matches.actions.filter(isUnseen).map(({ action }) => placeOf(action)),
    },
    {
      finding: 'bar whose adjustment became known later',
      at: matches.factors.filter(isLate).map(({ ticker, date }) => `${ticker} ${date}`),
    },
    {
      finding: 'corporate action that is not known yet on the last day',
      at: actions.filter(({ known_on }) => known_on > lastDate).map(placeOf),
    },
    { finding: 'detected corporate action that the table lacks', at: await unstated(client, version) },
  ];
  const rows = found
    .filter(({ at }) => at.length > 0)
    .map(({ finding, at }) => ({
      dataset_version: version,
      finding,
      count: at.length,
      first_at: at.toSorted()[0]!,
    }));
  if (rows.length > 0) await client.insert({ table: 'market.finding', values: rows, format: 'JSONEachRow' });
}

function isUnseen({ action: { kind, ratio }, status, appliedOn }: MatchedAction): boolean {
  return isAdjusting(kind) && ratio !== 1 && status === 'stated' && appliedOn !== undefined;
}

/** Stock-days that restate prices although no action of the table is about them. */
async function unstated(client: ClickHouseClient, version: string): Promise<string[]> {
  const query = `SELECT concat(ticker, ' ', toString(date)) AS at FROM market.daily_bar
    WHERE dataset_version = {version:String} AND (factor != 1 OR share_factor != 1)
      AND (ticker, date) NOT IN (
        SELECT ticker, assumeNotNull(applied_on) FROM market.corporate_action
        WHERE dataset_version = {version:String} AND isNotNull(applied_on))
    ORDER BY at`;
  const found = await clickhouseRows<{ at: string }>(client, query, { version });
  return found.map(({ at }) => at);
}
