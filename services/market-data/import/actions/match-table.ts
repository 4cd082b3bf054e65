import { isAdjusting } from '#quant/corporate-actions/corporate-action.ts';
import {
  matchActions,
  type Detection,
  type FirstBar,
  type Matches,
} from '#quant/corporate-actions/match-actions.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { detectedBarsSql } from '../bars-sql.ts';
import { rowParams, type DraftVersion } from '../draft-version.ts';

/** Compares the corporate actions of a version with what is detected in its rows. Reads only the rows of stocks that have any. */
export async function matchTable(client: ClickHouseClient, draft: DraftVersion): Promise<Matches> {
  const { actions, lastDate } = draft;
  const adjusting = actions.filter(({ kind, known_on }) => isAdjusting(kind) && known_on <= lastDate);
  const [detections, firstBars] =
    adjusting.length === 0
      ? [[], new Map<string, FirstBar>()]
      : await Promise.all([
          readDetections(client, draft, adjusting),
          readFirstBars(client, draft, adjusting),
        ]);
  const firstBar = (ticker: string, date: string) => firstBars.get(`${ticker} ${date}`);
  return matchActions(actions, detections, { lastDate, firstBar });
}

interface StockDay {
  ticker: string;
  ex_date: string;
}

async function readDetections(
  client: ClickHouseClient,
  draft: DraftVersion,
  of: readonly StockDay[],
): Promise<Detection[]> {
  const response = await client.query({
    query: `SELECT ticker, toString(date) AS day, factor, share_factor FROM (${barsOfStocks(draft)})
            WHERE factor != 1 OR share_factor != 1 ORDER BY ticker, day`,
    query_params: paramsOf(draft, of),
    format: 'JSONEachRow',
  });
  const rows = await response.json<{ ticker: string; day: string; factor: number; share_factor: number }>();
  return rows.map(({ ticker, day, factor, share_factor }) => ({
    ticker,
    date: day,
    factors: { price: factor, share: share_factor },
  }));
}

/** The first bar from the day of each action on, by ticker and day. */
async function readFirstBars(
  client: ClickHouseClient,
  draft: DraftVersion,
  of: readonly StockDay[],
): Promise<Map<string, FirstBar>> {
  const response = await client.query({
    query: `SELECT stated.ticker AS ticker, toString(stated.ex_date) AS ex_date, toString(bar.date) AS day,
              toFloat64(bar.close_before) AS closeBefore
            FROM (SELECT DISTINCT ticker, ex_date FROM (SELECT {tickers:Array(String)} AS t, {exDates:Array(Date)} AS d)
                  ARRAY JOIN t AS ticker, d AS ex_date) AS stated
            ASOF INNER JOIN (SELECT toString(ticker) AS ticker, date, close_before FROM (${barsOfStocks(draft)})) AS bar
            ON stated.ticker = bar.ticker AND stated.ex_date <= bar.date`,
    query_params: paramsOf(draft, of),
    format: 'JSONEachRow',
  });
  const rows = await response.json<StockDay & { day: string; closeBefore: number }>();
  return new Map(
    rows.map(({ ticker, ex_date, day, closeBefore }) => [`${ticker} ${ex_date}`, { date: day, closeBefore }]),
  );
}

function barsOfStocks({ staging, base }: DraftVersion): string {
  return detectedBarsSql(staging, base?.version ?? '', 'has({tickers:Array(String)}, toString(ticker))');
}

function paramsOf(draft: DraftVersion, of: readonly StockDay[]): Record<string, unknown> {
  return {
    ...rowParams(draft),
    version: draft.version,
    tickers: of.map(({ ticker }) => ticker),
    exDates: of.map(({ ex_date }) => ex_date),
  };
}
