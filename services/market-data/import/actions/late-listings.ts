import {
  lateListings,
  LEAST_STEP,
  LISTED_WITHIN_DAYS,
  type LateListing,
  type NotedBar,
} from '#quant/corporate-actions/late-listing.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { detectedBarsSql, NEEDED_SINCE } from '../merging/bars-sql.ts';
import { rowParams, type DraftVersion } from '../merging/draft-version.ts';

/** More days than any number of trading days that matters here has ever taken. */
const LONGEST_WAIT_DAYS = 60;

/** The issues of a version whose shares were listed late, and the first day whose bars they change against those of the base. */
interface FoundListings {
  listings: LateListing[];
  /** As `since` was, or an earlier day. */
  since: string | undefined;
}

/**
 * Finds the issues whose shares were listed late. Bars before `since` are those of the base, but a listing on a later day says what
 * happened on an ex-day before it.
 */
export async function findLateListings(
  client: ClickHouseClient,
  draft: DraftVersion,
  since: string | undefined,
): Promise<FoundListings> {
  if (since === undefined) return { listings: lateListings(await notedBars(client, draft)), since };
  const from = await waitsSince(client, draft.base!.version, since);
  const all = await listingsOf(client, draft.base!.version);
  const [kept, before] = [all.filter(({ date }) => date < from), all.filter(({ date }) => date >= from)];
  const after = lateListings(await notedBars(client, draft, from)).filter(({ date }) => date >= from);
  const isIn = (all: LateListing[]) => (one: LateListing) =>
    all.some(
      ({ ticker, date, listedOn }) =>
        `${ticker} ${date} ${listedOn}` === `${one.ticker} ${one.date} ${one.listedOn}`,
    );
  const same = before.filter(isIn(after));
  const changed = [...before, ...after].filter((one) => !isIn(same)(one)).map(({ date }) => date);
  return { listings: [...kept, ...after], since: [since, ...changed].sort()[0] };
}

/** The day as many trading days before another one as shares of earlier issues may be listed late. */
async function waitsSince(client: ClickHouseClient, base: string, since: string): Promise<string> {
  const query = `SELECT toString(min(date)) AS day FROM (
      SELECT DISTINCT date FROM market.daily_bar
      WHERE dataset_version = {base:String} AND date < {since:Date} AND date >= {since:Date} - ${LONGEST_WAIT_DAYS}
      ORDER BY date DESC LIMIT ${LISTED_WITHIN_DAYS})`;
  const [first] = await clickhouseRows<{ day: string }>(client, query, { base, since });
  return first!.day === '1970-01-01' ? since : first!.day;
}

/** Those that a stored version has. */
async function listingsOf(client: ClickHouseClient, version: string): Promise<LateListing[]> {
  const query = `SELECT toString(ticker) AS ticker, toString(date) AS date, toString(known_on) AS listedOn,
      bar.share_factor AS shareRatio, late.factor AS priceRatio
    FROM market.late_factor AS late
    INNER JOIN (SELECT ticker, date, share_factor FROM market.daily_bar
      WHERE dataset_version = {version:String} AND share_factor != 1) AS bar USING (ticker, date)
    WHERE late.dataset_version = {version:String}`;
  return clickhouseRows<LateListing>(client, query, { version });
}

async function notedBars(client: ClickHouseClient, draft: DraftVersion, since?: string): Promise<NotedBar[]> {
  const { staging, base, version, missingDays } = draft;
  const bars = detectedBarsSql(staging, base?.version ?? '', since === undefined ? undefined : NEEDED_SINCE);
  const query = `SELECT toString(ticker) AS ticker, toString(date) AS day, day_number, toFloat64(close_before) AS close_before,
      toFloat64(previous) AS previous, factor, share_factor,
      listed_shares_before AS shares_before, listed_shares AS shares
    FROM (${bars})
    WHERE close_before > 0 AND (factor != 1 AND share_factor = 1 OR
      listed_shares_before > 0 AND listed_shares > 0 AND
      abs(listed_shares_before / listed_shares - 1) >= ${LEAST_STEP})
    ORDER BY ticker, day`;
  return clickhouseRows<NotedBar>(client, query, {
    ...rowParams(draft),
    version,
    missingDays,
    ...(since !== undefined && { since }),
  });
}
