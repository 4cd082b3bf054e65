import { isAdjusting } from '#quant/corporate-actions/corporate-action.ts';
import type { LateListing } from '#quant/corporate-actions/late-listing.ts';
import {
  matchActions,
  type Detection,
  type Matches,
  type StatedFactors,
} from '#quant/corporate-actions/match-actions.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { detectedBarsSql } from '../merging/bars-sql.ts';
import { rowParams, type DraftVersion } from '../merging/draft-version.ts';

/** How long after its day an action waits for a bar. A suspended stock has bars, and the exchange never closes for as long. */
const MAX_WAIT_DAYS = 31;

/** Compares the corporate actions of a version with what is detected in its rows. Reads only the rows of stocks that have any. */
export async function matchTable(
  client: ClickHouseClient,
  draft: DraftVersion,
  listings: readonly LateListing[],
): Promise<Matches & { detections: Detection[] }> {
  const { actions, lastDate } = draft;
  const adjusting = actions.filter(({ kind, known_on }) => isAdjusting(kind) && known_on <= lastDate);
  const bars = adjusting.length === 0 ? [] : await readBars(client, draft, adjusting);
  const detections = bars
    .filter(({ factor, share_factor }) => factor !== 1 || share_factor !== 1)
    .map(({ ticker, day, factor, share_factor }) => {
      const listed = listings.find((one) => one.ticker === ticker && one.date === day)?.shareRatio;
      return { ticker, date: day, factors: { price: listed ?? factor, share: listed ?? share_factor } };
    });
  const ofStocks = Map.groupBy(bars, ({ ticker }) => ticker);
  const firstBar = (ticker: string, date: string) => {
    const bar = ofStocks.get(ticker)?.find(({ day, waits }) => waits === 1 && day >= date);
    return bar && { date: bar.day, closeBefore: bar.close_before };
  };
  return { ...matchActions(actions, detections, { lastDate, firstBar }), detections };
}

interface BarRow {
  ticker: string;
  day: string;
  close_before: number;
  factor: number;
  share_factor: number;
  /** 1 on the days on which an action may take effect. */
  waits: number;
}

/** The bars on which anything is detected, and those from the days of the actions on. Both in one pass, which reads all days. */
async function readBars(
  client: ClickHouseClient,
  draft: DraftVersion,
  of: readonly { ticker: string; ex_date: string }[],
): Promise<BarRow[]> {
  const { staging, base, version } = draft;
  const bars = detectedBarsSql(staging, base?.version ?? '', 'ticker IN {tickers:Array(String)}');
  const query = `SELECT toString(ticker) AS ticker, toString(date) AS day, toFloat64(close_before) AS close_before,
      factor, share_factor, (ticker, date) IN (
        SELECT action_ticker, ex_date + days_later
        FROM (SELECT {tickers:Array(String)} AS tickers, {exDates:Array(Date)} AS ex_dates)
        ARRAY JOIN tickers AS action_ticker, ex_dates AS ex_date
        ARRAY JOIN range(${MAX_WAIT_DAYS + 1}) AS days_later) AS waits
    FROM (${bars}) WHERE factor != 1 OR share_factor != 1 OR waits
    ORDER BY ticker, day`;
  return clickhouseRows<BarRow>(client, query, {
    ...rowParams(draft),
    version,
    missingDays: draft.missingDays,
    tickers: of.map(({ ticker }) => ticker),
    exDates: of.map(({ ex_date }) => ex_date),
  });
}

/** Whether a bar must be seen differently as of days before the action was known. */
export function isLate({ date, knownOn }: StatedFactors): boolean {
  return knownOn > date;
}
