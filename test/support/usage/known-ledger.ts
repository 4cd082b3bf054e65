import type { ClickHouseClient } from '@clickhouse/client';
import type { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import { insertUsage, usageEvent } from './usage-events.ts';

/** A run with its states. Times are in Jakarta in March 2025, where the 3rd, 10th and 17th are Mondays. */
function run(at: string, given: Partial<UsageRecorded>, picks?: { day: string; tickers: string[] }) {
  const ids = { event_id: `ue_${at}`, job_id: `job_${at}`, request_id: `req_${at}` };
  const params = given.model_id === 'recovery_v4' ? { positions: ['ADRO'] } : { lookback: 5 };
  const last = usageEvent({ ts: new Date(`2025-03-${at}:00+07:00`), params, ...ids, ...given });
  if (picks) last.status = 'succeeded';
  const started = { ...last, status: 'started', duration_seconds: 0 };
  if (!picks) return [started, last];
  const { day: target_date, tickers } = picks;
  return [started, { ...last, summary: { pick_count: tickers.length, tickers, target_date } }];
}

const ani = { api_key_id: 'key_a', end_user: 'ani' };
const budi = { api_key_id: 'key_a', end_user: 'budi' };
const aniOfB = { api_key_id: 'key_b', end_user: 'ani' };
const nobody = { api_key_id: 'key_a', end_user: '', channel: 'scheduled', actor: 'sch_1' };
const recovery = { model_id: 'recovery_v4' };

const middle = { dataset_version: 'middle', dataset_kind: 'real' };
const newest = { dataset_version: 'newest', dataset_kind: 'real' };
const madeUp = { dataset_version: 'made-up', dataset_kind: 'synthetic' };

/** The runs without a dataset or an error code are as a process of an earlier version recorded them. */
const RUNS = [
  run(
    '03T09:00',
    { ...ani, ...middle, duration_seconds: 2 },
    { day: '2025-02-28', tickers: ['BBCA', 'TLKM'] },
  ),
  run('03T09:30', { ...budi, ...middle, duration_seconds: 4 }, { day: '2025-02-28', tickers: [] }),
  run('04T10:00', {
    ...aniOfB,
    ...recovery,
    ...middle,
    status: 'failed',
    error_code: 'no_positions',
    duration_seconds: 1,
  }),
  run(
    '10T09:15',
    { ...ani, ...madeUp, duration_seconds: 6, params: { lookback: 7 } },
    { day: '2025-03-07', tickers: ['TLKM'] },
  ),
  run('10T09:20', {
    ...ani,
    ...recovery,
    status: 'interrupted',
    error_code: 'interrupted',
    duration_seconds: 3,
  }),
  run(
    '10T09:40',
    { ...ani, ...recovery, ...newest, duration_seconds: 5 },
    { day: '2025-03-07', tickers: ['ADRO'] },
  ),
  run('11T18:00', { ...nobody, duration_seconds: 2.5 }, { day: '2025-03-11', tickers: ['BBCA'] }),
  run('17T00:30', { ...budi, status: 'started' }),
  run('18T10:45', { ...aniOfB, status: 'interrupted', duration_seconds: 0.5 }),
];

const DAYS = ['02-28', '03-03', '03-04', '03-05', '03-06', '03-07', '03-10', '03-11'].map(
  (day) => `2025-${day}`,
);
const CLOSES: Record<string, number[]> = {
  BBCA: [100, 105, 110, 110, 110, 110, 110, 110],
  // Split 1:2 on 10 March.
  TLKM: [200, 200, 190, 190, 190, 190, 96, 99.75],
  ADRO: [50, 50, 50, 50, 50, 80, 80, 72],
};
const SPLIT = 'TLKM 2025-03-10';

async function fillMarket(sql: ClickHouseClient): Promise<void> {
  const published = {
    '2025-02-01': 'oldest',
    '2025-02-15': 'made-up',
    '2025-03-01': 'middle',
    '2025-03-10': 'newest',
  };
  const datasets = Object.entries(published).map(([day, version]) => ({
    version,
    kind: version === 'made-up' ? 'synthetic' : 'real',
    first_date: '2025-02-28',
    last_date: '2025-03-11',
    tickers: 3,
    published_at: `${day} 00:00:00`,
  }));
  const bars = Object.entries(CLOSES).flatMap(([ticker, closes]) =>
    closes.map((close, index) => {
      const factor = SPLIT === `${ticker} ${DAYS[index]}` ? 0.5 : 1;
      return { dataset_version: 'newest', ticker, date: DAYS[index], close, factor };
    }),
  );
  const wrong = bars.map((bar) => ({ ...bar, dataset_version: 'middle', close: 7 }));
  const served = datasets.map(({ version, published_at }) => ({ version, served_at: published_at }));
  await sql.insert({ table: 'market.dataset', values: datasets, format: 'JSONEachRow' });
  await sql.insert({ table: 'market.served', values: served, format: 'JSONEachRow' });
  for (const values of [bars, wrong])
    await sql.insert({ table: 'market.daily_bar', values, format: 'JSONEachRow' });
}

/** Few enough runs and prices to compute answers by hand. */
export async function fillKnownLedger(sql: ClickHouseClient): Promise<void> {
  // Insert every state twice, and the first states once more at the end.
  for (const state of [0, 1, 1, 0]) {
    await insertUsage(
      sql,
      RUNS.map((states) => states[state]!),
    );
  }
  await fillMarket(sql);
}
