import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fillKnownLedger } from '#support/usage/known-ledger.ts';
import { testLedger } from '#support/services/test-ledger.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../deploy/clickhouse/queries');
const DOCUMENT = path.resolve(import.meta.dirname, '../../../docs/analysts.md');
const own = testLedger();

beforeAll(() => fillKnownLedger(own.sql));

const MARCH = { since: '2025-03-01', until: '2025-04-01' };
const filter = 'confluence_filter';
/** Rows as objects: first the column names, then the values of each row. */
const table = (columns: string, ...rows: unknown[][]) =>
  rows.map((row) => Object.fromEntries(columns.split(' ').map((column, index) => [column, row[index]])));

/** When a version was published and served, and when it was replaced. */
const served = (from: string, until: string | null) => {
  const at = (day: string) => `2025-${day} 00:00:00.000`;
  return [at(from), at(from), until && at(until)];
};

/** The expected answer of each query, computed by hand from the runs and closes of the known ledger. */
const ANSWERS: Record<string, { params: Record<string, string | number>; rows: object[] }> = {
  'daily-active-end-users': {
    params: { since: '2025-03-03', until: '2025-03-06' },
    rows: table(
      'jakarta_day daily weekly monthly daily_of_monthly',
      ['2025-03-03', 2, 2, 2, 1],
      ['2025-03-04', 1, 3, 3, 0.333],
      ['2025-03-05', 0, 3, 3, 0],
    ),
  },
  'run-volume-and-error-rate': {
    params: { since: '2025-03-10', until: '2025-03-18' },
    rows: table(
      'jakarta_day runs scheduled started failed interrupted error_pct',
      ['2025-03-10', 3, 0, 0, 0, 1, 33.33],
      ['2025-03-11', 1, 1, 0, 0, 0, 0],
      ['2025-03-17', 1, 0, 1, 0, 0, null],
    ),
  },
  'slowest-models': {
    params: MARCH,
    rows: table(
      'model_id ended_runs p50_seconds p90_seconds p99_seconds max_seconds',
      [filter, 5, 2.5, 5.2, 5.92, 6],
      ['recovery_v4', 3, 3, 4.6, 4.96, 5],
    ),
  },
  'most-picked-tickers': {
    params: MARCH,
    rows: table(
      'dataset_kind ticker runs models mean_rank end_users api_keys last_target_date',
      ['', 'BBCA', 1, [filter], 1, 0, 1, '2025-03-11'],
      ['real', 'ADRO', 1, ['recovery_v4'], 1, 1, 1, '2025-03-07'],
      ['real', 'BBCA', 1, [filter], 1, 1, 1, '2025-02-28'],
      ['real', 'TLKM', 1, [filter], 2, 1, 1, '2025-02-28'],
      ['synthetic', 'TLKM', 1, [filter], 1, 1, 1, '2025-03-07'],
    ),
  },
  'new-and-returning-end-users': {
    params: { since: '2025-03-03', until: '2025-03-24' },
    rows: table(
      'week active new returning lost',
      ['2025-03-03', 3, 3, 0, 0],
      ['2025-03-10', 1, 0, 1, 2],
      ['2025-03-17', 2, 0, 2, 1],
    ),
  },
  'cohort-retention': {
    params: MARCH,
    rows: table('cohort_week end_users pct_by_week', [
      '2025-03-03',
      3,
      [100, 33.3, 66.7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]),
  },
  'usage-per-key': {
    params: MARCH,
    rows: table(
      'api_key_id runs succeeded failed interrupted scheduled end_users compute_seconds picks',
      ['key_a', 7, 5, 0, 1, 1, 2, 22.5, 5],
      ['key_b', 2, 0, 1, 1, 0, 1, 1.5, 0],
    ),
  },
  'empty-result-rate': {
    params: MARCH,
    rows: table(
      'model_id dataset_kind succeeded empty_results empty_pct',
      [filter, 'real', 2, 1, 50],
      [filter, '', 1, 0, 0],
      [filter, 'synthetic', 1, 0, 0],
      ['recovery_v4', 'real', 1, 0, 0],
    ),
  },
  'error-codes': {
    params: MARCH,
    rows: table(
      'error_code model_id runs end_users api_keys last_at',
      ['', filter, 1, 1, 1, '2025-03-18 03:45:00.000'],
      ['interrupted', 'recovery_v4', 1, 1, 1, '2025-03-10 02:20:00.000'],
      ['no_positions', 'recovery_v4', 1, 1, 1, '2025-03-04 03:00:00.000'],
    ),
  },
  'interrupted-runs': {
    params: MARCH,
    rows: table(
      'ts job_id request_id api_key_id end_user model_id duration_seconds ran_again',
      ['2025-03-18 03:45:00.000', 'job_18T10:45', 'req_18T10:45', 'key_b', 'ani', filter, 0.5, 0],
      ['2025-03-10 02:20:00.000', 'job_10T09:20', 'req_10T09:20', 'key_a', 'ani', 'recovery_v4', 3, 1],
    ),
  },
  'open-runs': {
    params: { minutes: 10 },
    rows: table('ts open_minutes job_id request_id api_key_id model_id', [
      '2025-03-16 17:30:00.000',
      expect.any(Number),
      'job_17T00:30',
      'req_17T00:30',
      'key_a',
      filter,
    ]),
  },
  'dataset-versions': {
    params: {},
    rows: table(
      'version kind broker_data first_date last_date tickers published_at served_from served_until runs',
      ['newest', 'real', 'none', '2025-02-28', '2025-03-11', 3, ...served('03-10', null), 1],
      ['middle', 'real', 'none', '2025-02-28', '2025-03-11', 3, ...served('03-01', '03-10'), 3],
      ['made-up', 'synthetic', 'none', '2025-02-28', '2025-03-11', 3, ...served('02-15', '03-01'), 1],
      ['oldest', 'real', 'none', '2025-02-28', '2025-03-11', 3, ...served('02-01', '02-15'), 0],
    ),
  },
  // After two trading days: from 28 February BBCA +10 %, TLKM -5 %, ADRO 0; from 7 March BBCA 0, TLKM +5 %, ADRO -10 %.
  // TLKM of 7 March was picked from synthetic data, which says nothing about these prices.
  'picks-and-later-prices': {
    params: { since: '2025-02-01', until: '2025-04-01', days: 2 },
    rows: table(
      'model_id dataset_kind picks mean_pct median_pct risen_pct market_pct',
      [filter, 'real', 2, 2.5, 2.5, 50, 1.67],
      ['recovery_v4', 'real', 1, -10, -10, 0, -1.67],
    ),
  },
  'busiest-hours': {
    params: MARCH,
    rows: table(
      'weekday hour runs busiest_hour_runs compute_seconds',
      [1, 0, 1, 1, 0],
      [1, 9, 5, 3, 20],
      [2, 10, 2, 1, 1.5],
      [2, 18, 1, 1, 2.5],
    ),
  },
  'heaviest-end-users': {
    params: MARCH,
    rows: table(
      'api_key_id end_user runs active_days most_on_a_day compute_seconds favourite_model',
      ['key_a', 'ani', 4, 2, 3, 16, filter],
      ['key_a', 'budi', 2, 2, 1, 4, filter],
      ['key_b', 'ani', 2, 2, 1, 1.5, filter],
    ),
  },
  'scheduled-runs': {
    params: MARCH,
    rows: table('schedule model_id runs succeeded last_run_at last_status last_target_date', [
      'sch_1',
      filter,
      1,
      1,
      '2025-03-11 11:00:00.000',
      'succeeded',
      '2025-03-11',
    ]),
  },
  'parameter-choices': {
    params: MARCH,
    rows: table(
      'model_id parameter value runs end_users',
      [filter, 'lookback', '5', 5, 3],
      [filter, 'lookback', '7', 1, 1],
      ['recovery_v4', 'positions', '["ADRO"]', 3, 2],
    ),
  },
};

const queryText = (name: string) => readFileSync(path.join(FOLDER, `${name}.sql`), 'utf8');

test('every ready query is tested', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(
    Object.keys(ANSWERS)
      .map((name) => `${name}.sql`)
      .sort(),
  );
});

test.each(Object.keys(ANSWERS))('%s returns the rows computed by hand', async (name) => {
  const { params, rows } = ANSWERS[name]!;
  expect(await own.rows(queryText(name), params)).toEqual(rows);
});

test('the SQL in docs/analysts.md returns a row for each error code', async () => {
  const [, sql] = /^```sql\n([^]*?)^```$/m.exec(readFileSync(DOCUMENT, 'utf8'))!;
  expect(await own.rows(`${sql} ORDER BY jakarta_day`)).toEqual(
    table(
      'jakarta_day model_id code runs',
      ['2025-03-04', 'recovery_v4', 'no_positions', 1],
      ['2025-03-10', 'recovery_v4', 'interrupted', 1],
      ['2025-03-18', filter, '', 1],
    ),
  );
});

test.each(Object.keys(ANSWERS))('%s documents its question, parameters and columns', (name) => {
  const [comment] = /^(--.*\n)+/.exec(queryText(name))!;
  expect(comment.split('\n')[0]).toMatch(/^-- .*\?/);
  const named = [...(/^-- Parameters: .*$/m.exec(comment)?.[0] ?? '').matchAll(/(\w+) \(\w+, /g)];
  expect(named.map(([, parameter]) => parameter)).toEqual(Object.keys(ANSWERS[name]!.params));
  const columns = [...comment.matchAll(/^-- {3}(\w+) +\S/gm)].map(([, column]) => column);
  expect(columns).toEqual(Object.keys(ANSWERS[name]!.rows[0]!));
});
