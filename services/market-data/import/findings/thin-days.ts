import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import type { DraftVersion } from '../merging/draft-version.ts';

/** The one home of the rules about days on which few stocks have data. */

/**
 * A day is a system test of the exchange, not a trading day, if the number of traded tickers is below this share of the
 * usual number around it. In five years of real data, no trading day fell below 0.95, and the only system test was at
 * 0.18.
 */
export const QUIET_SHARE = 0.4;
/** Days before and after that enter the median. */
export const QUIET_WINDOW_DAYS = 10;
/** The newest days are not judged: they may be partial, and no later days exist to compare them with. */
export const QUIET_SPARED_DAYS = 3;
/** With a smaller usual number of tickers, a day with few is nothing unusual. */
export const MIN_USUAL_TICKERS = 20;

/** A day is thin if fewer than this share of the usual number of stocks has data, or traded. */
const WHOLE_SHARE = 0.8;
/** Whole days before it whose median is the usual number. */
const USUAL_OVER_DAYS = 20;
/** After fewer days there is no usual number. */
const MIN_DAYS = 5;

/** How many stocks have a row on a day, and how many of them traded. */
export interface DayCounts {
  day: string;
  stocks: number;
  traded: number;
}

/** What is thin among the days of a version, each as `2024-07-01: 30 of 928 stocks`. */
interface JudgedDays {
  /** The last whole day. The days after it, all thin, are partial. */
  wholeUntil: string;
  partial: string[];
  /** Thin days before it. */
  thin: string[];
}

/**
 * Judges each day by the last whole days before it, so that thin days do not make others look whole.
 * @param days ascending
 * @param accepted days that count as whole however few stocks they have
 */
export function judgeDays(days: readonly DayCounts[], accepted: readonly string[]): JudgedDays {
  const whole: DayCounts[] = [];
  const thin: { day: string; text: string }[] = [];
  for (const counts of days) {
    const { day } = counts;
    const text = accepted.includes(day) ? undefined : thinness(counts, whole.slice(-USUAL_OVER_DAYS));
    if (text === undefined) whole.push(counts);
    else thin.push({ day, text: `${day}: ${text}` });
  }
  const wholeUntil = whole.at(-1)?.day ?? '';
  const textsOf = (arePartial: boolean) =>
    thin.filter(({ day }) => day > wholeUntil === arePartial).map(({ text }) => text);
  return { wholeUntil, partial: textsOf(true), thin: textsOf(false) };
}

/** The numbers of a thin day; undefined for a whole one. */
function thinness({ stocks, traded }: DayCounts, before: readonly DayCounts[]): string | undefined {
  const usualStocks = usual(before.map((day) => day.stocks));
  if (isFew(stocks, usualStocks)) return `${stocks} of ${usualStocks} stocks`;
  const usualTraded = usual(before.map((day) => day.traded));
  return isFew(traded, usualTraded) ? `${traded} of ${usualTraded} stocks traded` : undefined;
}

function isFew(count: number, usualCount: number): boolean {
  return usualCount >= MIN_USUAL_TICKERS && count < WHOLE_SHARE * usualCount;
}

function usual(counts: readonly number[]): number {
  return counts.length < MIN_DAYS ? 0 : counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]!;
}

const MAX_NAMED = 10;

/** Stores which days of a version are thin, as findings, and returns its last whole day. Its bars must be stored already. */
export async function storeThinDays(
  client: ClickHouseClient,
  { version, acceptedDays }: Pick<DraftVersion, 'version' | 'acceptedDays'>,
): Promise<string> {
  const query = `SELECT toString(date) AS day, toUInt32(count()) AS stocks, toUInt32(countIf(volume > 0)) AS traded
    FROM market.daily_bar WHERE dataset_version = {version:String} GROUP BY date ORDER BY date`;
  const counts = await clickhouseRows<DayCounts>(client, query, { version });
  const { wholeUntil, partial, thin } = judgeDays(counts, acceptedDays);
  const found = [
    { finding: `partial day, so that models and screens stay on ${wholeUntil}`, days: partial },
    { finding: 'day with far fewer stocks than the days before', days: thin },
  ];
  const values = found
    .filter(({ days }) => days.length > 0)
    .map(({ finding, days }) => ({
      dataset_version: version,
      finding,
      count: days.length,
      first_at: days.slice(0, MAX_NAMED).join(', '),
    }));
  if (values.length > 0) await client.insert({ table: 'market.finding', values, format: 'JSONEachRow' });
  return wholeUntil;
}
