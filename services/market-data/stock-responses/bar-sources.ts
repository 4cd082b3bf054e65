import type { BarOrigin, SourcedValues } from '#proto/saring/market_data/v1/bars.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { orUnavailable } from '../store/clickhouse-unavailable.ts';

/** Days of a stock in a version, both included. */
interface SourcedDays extends Record<string, unknown> {
  version: string;
  ticker: string;
  from: string;
  to: string;
}

export type ReadBarSources = (days: SourcedDays) => Promise<BarOrigin[]>;

const BARS = `FROM market.daily_bar
  WHERE dataset_version = {version:String} AND ticker = {ticker:String} AND date BETWEEN {from:Date} AND {to:Date}`;

/**
 * Reads where bars come from. They are asked for rarely, so they are not in memory.
 * @returns a function that throws ServiceError data_unavailable while the store does not answer
 */
export function barSourcesIn(client: ClickHouseClient): ReadBarSources {
  const rowsOf = async <Row>(query: string, query_params: SourcedDays) =>
    (await client.query({ query, query_params, format: 'JSONEachRow' })).json<Row>();
  return async (days) => {
    const [bars, said] = await orUnavailable(
      Promise.all([
        rowsOf<{ date: string; origin: number }>(`SELECT date, origin ${BARS} ORDER BY date`, days),
        rowsOf<Said>(
          `SELECT origin, group_name AS values, source, upload,
             toFloat64(toUnixTimestamp64Milli(retrieved_at)) AS retrieved_at_ms
           FROM market.bar_origin
           WHERE dataset_version = {version:String} AND origin IN (SELECT origin ${BARS})
           ORDER BY origin, group_name`,
          days,
        ),
      ]),
    );
    return runsOf(
      bars,
      Map.groupBy(said, ({ origin }) => origin),
    );
  };
}

interface Said extends Omit<SourcedValues, 'retrieved_at'> {
  origin: number;
  retrieved_at_ms: number;
}

function runsOf(bars: { date: string; origin: number }[], said: Map<number, Said[]>): BarOrigin[] {
  const runs: BarOrigin[] = [];
  let last: number | undefined;
  for (const { date, origin } of bars) {
    if (origin === last) runs.at(-1)!.last_date = date;
    else runs.push({ first_date: date, last_date: date, said: (said.get(origin) ?? []).map(sourced) });
    last = origin;
  }
  return runs;
}

function sourced({ values, source, upload, retrieved_at_ms }: Said): SourcedValues {
  return { values, source, upload, retrieved_at: new Date(retrieved_at_ms) };
}
