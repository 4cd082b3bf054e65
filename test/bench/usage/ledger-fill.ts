import { MODELS } from '#models/registry.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Set `BENCH_USAGE_EVENTS` for a quick trial. */
export const LEDGER_EVENTS = Number(process.env['BENCH_USAGE_EVENTS'] ?? 5_000_000);
/** The key whose reads are measured. One in `MEASURED_KEY_STRIDE` events belongs to it. */
export const MEASURED_KEY = 'key_000';
export const MEASURED_KEY_STRIDE = 50;
/** One of the hundred end users of every key. */
export const MEASURED_END_USER = 'user-7';

const OTHER_KEYS = 499;
const END_USERS_PER_KEY = 100;
/** Time between two runs. All runs lie within the retention time. */
const PAUSE_MS = Math.floor((170 * DAY_MS) / LEDGER_EVENTS);
/** The newest runs have both of their states, in different parts. */
const TWO_STATE_EVENTS = Math.ceil(LEDGER_EVENTS / 50);
/** A portion is one insert, which ClickHouse holds in memory. */
const PORTIONS = 10;
const MODEL_IDS = MODELS.map(({ id }) => id);

interface Portion {
  newestMs: number;
  /** Event number 0 is the newest. */
  first: number;
  count: number;
  state: 'started' | 'final';
}

/**
 * Fills `usage.event` as months of use would: 500 keys with 100 end users each and every model, with the same number of runs
 * each day, some of them of the measured key. All values except the times are hashes of the event's number. Each past month is
 * one part; the current month has several, and its newest runs have a row for each of their states.
 */
export async function fillLedger(sql: ClickHouseClient): Promise<void> {
  const newestMs = Date.now();
  const count = Math.ceil(LEDGER_EVENTS / PORTIONS);
  for (let first = 0; first < LEDGER_EVENTS; first += count) {
    await insert(sql, { newestMs, first, count: Math.min(count, LEDGER_EVENTS - first), state: 'final' });
  }
  await insert(sql, { newestMs, first: 0, count: TWO_STATE_EVENTS, state: 'started' });
  await mergeMonthsThatAreOver(sql);
}

/** ClickHouse does this itself an hour after the last event of a month. */
async function mergeMonthsThatAreOver(sql: ClickHouseClient): Promise<void> {
  const over = `SELECT DISTINCT partition_id AS month FROM system.parts
    WHERE active AND database = 'usage' AND table = 'event' ORDER BY month DESC LIMIT 100 OFFSET 1`;
  for (const { month } of await clickhouseRows<{ month: string }>(sql, over))
    await sql.command({ query: `OPTIMIZE TABLE usage.event PARTITION ID '${month}' FINAL` });
}

async function insert(sql: ClickHouseClient, { newestMs, first, count, state }: Portion): Promise<void> {
  const keyNumber = `if(number % ${MEASURED_KEY_STRIDE} = 0, 0, 1 + ${hash('key')} % ${OTHER_KEYS})`;
  const outcome = `['succeeded', 'succeeded', 'succeeded', 'failed'][1 + ${hash('outcome')} % 4]`;
  const final = state === 'final';
  await sql.command({
    query: `INSERT INTO usage.event (event_id, ts, channel, actor, api_key_id, end_user, model_id, params, status,
        duration_seconds, pick_count, tickers, target_date, job_id, request_id, state_version)
      SELECT
        'ue_' || lower(hex(${hash('event')})) AS event_id,
        fromUnixTimestamp64Milli(toInt64(${newestMs} - number * ${PAUSE_MS}), 'UTC') AS ts,
        'api',
        api_key_id,
        'key_' || leftPad(toString(${keyNumber}), 3, '0') AS api_key_id,
        'user-' || toString(${hash('user')} % ${END_USERS_PER_KEY}),
        ['${MODEL_IDS.join(`', '`)}'][1 + ${hash('model')} % ${MODEL_IDS.length}],
        '{"lookback":5,"min_signals":2,"analysis_date":"2026-09-30"}',
        ${final ? outcome : `'started'`} AS status,
        ${final ? `0.1 + (${hash('duration')} % 1000) / 1000` : 0},
        if(status = 'succeeded', 3, NULL),
        if(status = 'succeeded', ['BBCA', 'ADRO', 'TLKM'], []),
        if(status = 'succeeded', toDate(ts), NULL),
        'job_' || lower(hex(${hash('job')})),
        'req_' || lower(hex(${hash('request')})),
        ${final ? 2 : 1}
      FROM numbers(${first}, ${count})`,
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  });
}

function hash(what: string): string {
  return `cityHash64(number, '${what}')`;
}
