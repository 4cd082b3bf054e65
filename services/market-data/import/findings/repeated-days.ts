import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { REPEATS_EARLIER, REPEATS_LATER } from '../rules/row-rules.ts';
import type { Staging } from '../staging/staging.ts';
import { goodRowsSql } from '../merging/version-rows.ts';

/**
 * A day repeats another one if at least this share of its traded stocks has the numbers of that day. In five years of real data,
 * the largest share was .018 of two neighbouring days, and .019 of any two within 60 trading days. Half is far beyond chance, and
 * still finds a repeated day that has been mended in part.
 */
const REPEATED_SHARE = 0.5;
/** Equal numbers of fewer stocks may be chance. */
const REPEATED_MIN_TICKERS = 20;

/** A traded row of a stock as a number that sorts by what was traded, then by day (16 bits), then by whether the upload has it. */
const KEY_BITS = 17;
/** The opening price is left out, because it is stored as something else where the exchange has none. */
const KEY = `bitOr(bitShiftLeft(bitShiftRight(cityHash64(high, low, close, volume, value), ${KEY_BITS}), ${KEY_BITS}),
      toUInt64(toUInt16(date) * 2 + (file != '')))`;
const [IS_STAGED, DAY] = [
  (key: string) => `bitAnd(${key}, 1) = 1`,
  (key: string) => `toDate(toUInt16(bitAnd(bitShiftRight(${key}, 1), 65535)))`,
];

/**
 * Refuses staged rows of days that repeat another day, of the upload or of the base. A source that gives a day twice usually gives
 * the earlier one under the later date. So the later one is refused, unless it is of the base, which no refusal changes.
 */
export async function refuseRepeatedDays(
  client: ClickHouseClient,
  staging: Staging,
  base: Dataset | undefined,
): Promise<void> {
  const query = repeatedDaysSql(staging, base?.version ?? '');
  const params = { base: base?.version ?? '' };
  const days = await clickhouseRows<{ day: string; reason: string }>(client, query, params);
  if (days.length === 0) return;
  await client.command({
    query: `INSERT INTO ${staging.refused}
            SELECT file, line, transform(toString(date), {days:Array(String)}, {reasons:Array(String)}, '') AS why
            FROM ${staging.rows} WHERE reason = '' AND why != ''`,
    query_params: { days: days.map(({ day }) => day), reasons: days.map(({ reason }) => reason) },
  });
}

/** SQL of the staged days that repeat another day. Each row is compared with the last one of its stock that has the same numbers. */
function repeatedDaysSql(staging: Staging, base: string): string {
  const isRepeat = `bitShiftRight(bitXor(earlier, later), ${KEY_BITS}) = 0 AND ${DAY('earlier')} != ${DAY('later')}
        AND (${IS_STAGED('earlier')} OR ${IS_STAGED('later')})`;
  // Of the base, only rows of a value that the upload has need be read whole.
  const traded = `FROM ${staging.rows} WHERE reason = '' AND volume > 0`;
  const which = base === '' ? 'volume > 0' : `volume > 0 AND value IN (SELECT value ${traded})`;
  const pair = `if(${IS_STAGED('later')},
        (${DAY('later')}, ${DAY('earlier')}, '${REPEATS_EARLIER}'), (${DAY('earlier')}, ${DAY('later')}, '${REPEATS_LATER}'))`;
  return `SELECT toString(day) AS day, max(why) AS reason FROM (
      SELECT pair.1 AS day, pair.2 AS other, pair.3 AS why, count() AS repeated FROM (
        SELECT neighbours.1 AS earlier, neighbours.2 AS later, ${pair} AS pair FROM (
          SELECT arraySort(groupArray(${KEY})) AS keys, arrayJoin(arrayZip(arrayPopBack(keys), arrayPopFront(keys))) AS neighbours
          FROM (${goodRowsSql(staging, base)}) WHERE ${which} GROUP BY ticker)
        WHERE ${isRepeat})
      GROUP BY pair) AS found
    INNER JOIN (
      SELECT toDate(date) AS day, count() AS traded ${traded} GROUP BY day
    ) AS staged USING (day)
    WHERE traded >= ${REPEATED_MIN_TICKERS} AND repeated >= traded * ${REPEATED_SHARE}
    GROUP BY day`;
}
