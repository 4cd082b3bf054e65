import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import type { OutcomeBody, RunBody } from '#services/models/store/record-chain.ts';
import type { ModelsTables } from '#services/models/store/tables.ts';
import { MODELS } from '#models/registry.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { MAX_SALE_WAIT_DAYS } from '#quant/labels/triple-barrier.ts';
import { ownFleet, settle, SteadyLoad } from '../support/fleets/broken-fleet.ts';
import { SMALL_MARKET } from '../support/fleets/fleet.ts';
import { issueKey } from '../support/fleets/issued-keys.ts';
import { pollUntilFinal, submitRun, submitRunOf, type JobBody } from '#support/rest/jobs.ts';
import {
  modelsDatabase,
  storedEntries,
  verifyRecord,
  type RecordBody,
  type RecordPartBody,
} from '#support/services/record.ts';
import { saring } from '../support/fleets/saring-cli.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { idxDayFile, weekdays } from '../support/markets/idx-archive.ts';
import { addDay, stocksOfLastDay, volumeOn, type Stock } from '../support/markets/next-day.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const MODEL = 'confluence_filter';
const LOOSE = { min_signals: 1, min_daily_val: 100_000_000, max_picks: 50, seller_filter: false };
/** The horizon by which a model without levels is judged. */
const HORIZON_DAYS = 20;

const own = ownFleet({ ...SMALL_MARKET, DAILY_RUNS: 'true' });
let database: Kysely<ModelsTables>;
beforeAll(async () => {
  database = await modelsDatabase(own.fleet);
});
afterAll(() => database?.destroy());

const recordOf = async (query = '', rest = own.rest) =>
  (await rest.get<RecordBody>(`/api/v1/models/${MODEL}/record${query}`)).body;
const runNow = async (params: object = LOOSE) =>
  pollUntilFinal(own.rest, (await submitRun(own.rest, params)).job_id);
const pickCountOf = ({ summary }: JobBody) => (summary as { pick_count: number }).pick_count;
const entriesOf = async (jobId: string) =>
  (await storedEntries(database)).filter(({ job_id }) => job_id === jobId);

const NOTHING: Partial<RecordPartBody> = {
  runs: 0,
  n: 0,
  open: 0,
  unfilled: 0,
  filled: 0,
  wins: 0,
  history: 0,
  by_month: [],
  by_regime: [],
};
const NO_FIGURE = { value: null, low: null, high: null };

interface Bar extends Stock {
  date: string;
  high?: number;
  low?: number;
  previous: number;
}

let imports = 0;
async function addBars(bars: Bar[], ...more: string[]) {
  const file = path.join(own.fleet.stateDir, `days-${imports++}.csv`);
  await writeFile(file, idxDayFile(bars.map((bar) => ({ ...bar, volume: volumeOn(bar.date) }))));
  return addDay(own.fleet.stateDir, file, ...more);
}

/** Stocks that pass rules. Fields are computed first, for which a busy machine needs longer than the gateway waits. */
async function preview(rules: string, request: object = {}): Promise<Schemas['ScreenPreview']> {
  let body = {} as Schemas['ScreenPreview'];
  const status = async () => {
    const sent = { rules, ...request };
    const response = await own.rest.post<Schemas['ScreenPreview']>('/api/v1/screens/preview', sent, {
      endUser: 'alice',
    });
    body = response.body;
    return response.status;
  };
  await expect.poll(status).toBe(200);
  return body;
}
const passing = async (rules: string, request?: object) =>
  (await preview(rules, request)).rows.map(({ ticker }) => ticker);
const dailyRunsOf = (day: string) =>
  database
    .selectFrom('run')
    .selectAll()
    .where('api_key_id', '=', 'operator')
    .where('trading_day', '=', day)
    .execute();

/** Ids of the daily runs whose result market-data has stored for a day. */
async function storedOn(day: string): Promise<string[]> {
  const { stores } = await own.fleet.file();
  const client = connectClickHouse(stores.clickhouse.market);
  try {
    const query = `SELECT DISTINCT job_id FROM market.model_result WHERE as_of = {day:Date} ORDER BY job_id`;
    const found = await client.query({ query, query_params: { day }, format: 'JSONEachRow' });
    return (await found.json<{ job_id: string }>()).map(({ job_id }) => job_id);
  } finally {
    await client.close();
  }
}

let asOf: string;
let stocks: Stock[];
let dates: string[];
let counted: JobBody;
let picked: string[];
/** The outcome of a pick on the second day after it was made. */
const fateOf = (ticker: string) => (['won', 'lost', 'expired'] as const)[picked.indexOf(ticker) % 3]!;

const quietBars = (at: number): Bar[] =>
  stocks.map(({ ticker, close }) => ({ ticker, close, previous: close, date: dates[at]! }));
const fatefulBars = (at: number): Bar[] =>
  quietBars(at).map((bar) => {
    if (!picked.includes(bar.ticker)) return bar;
    if (fateOf(bar.ticker) === 'won') return { ...bar, high: Math.ceil(1.11 * bar.close) };
    return fateOf(bar.ticker) === 'lost' ? { ...bar, low: Math.floor(0.94 * bar.close) } : bar;
  });

describe('the record of a model', () => {
  test('is empty at first, but states its definition and whether the model is recorded', async () => {
    const nobody = own.rest.as((await issueKey(own.fleet.stateDir, 'models:read')).key);
    // The models service notes which version is served a moment after it has started.
    await expect
      .poll(() => recordOf('', nobody))
      .toMatchObject({
        model_id: MODEL,
        is_recorded: true,
        dataset_kind: 'synthetic',
        definition: { entry: 'next_day_limit', entry_spread_pct: 1 },
        own: {
          ...NOTHING,
          win_rate_pct: null,
          base_rate_pct: null,
          lift: NO_FIGURE,
          net_return_pct: NO_FIGURE,
        },
      });
    const { body } = await own.rest.get<RecordBody>('/api/v1/models/recovery_v4/record');
    expect(body).toMatchObject({ is_recorded: false, daily: NOTHING, own: NOTHING });
  });

  test('counts picks of the newest day as open and picks of earlier days as history', async () => {
    counted = await runNow();
    expect(pickCountOf(counted)).toBeGreaterThanOrEqual(3);
    asOf = (await servedDataset(own.rest)).last_date;
    const earlier = new Date(Date.parse(`${asOf}T00:00:00Z`) - 14 * DAY_MS).toISOString().slice(0, 10);
    const past = await runNow({ ...LOOSE, analysis_date: earlier });
    expect(pickCountOf(past)).toBeGreaterThan(0);
    await runNow();
    const { own: mine } = await recordOf();
    const n = pickCountOf(counted);
    expect(mine).toMatchObject({
      runs: 2,
      n,
      open: n,
      filled: 0,
      wins: 0,
      history: pickCountOf(past),
    });
    expect(mine.by_month).toMatchObject([{ month: asOf.slice(0, 7), n }]);
    expect(mine.win_rate_pct).toBeNull();
  });

  test('gets one daily run of every model that needs no input, which counts in no key’s usage', async () => {
    const models = MODELS.filter(({ picks }) => picks).map(({ id }) => id);
    const dailyRuns = async () =>
      database.selectFrom('run').selectAll().where('api_key_id', '=', 'operator').execute();
    await expect
      .poll(async () => new Set((await dailyRuns()).map(({ model_id }) => model_id)))
      .toEqual(new Set(models));
    await expect
      .poll(async () => (await dailyRuns()).filter(({ status }) => status !== 'succeeded'))
      .toEqual([]);
    expect(await dailyRuns()).toHaveLength(models.length);
    for (const { job_id, tickers } of await dailyRuns()) {
      const [entry] = await entriesOf(job_id);
      const { picks, counts, as_of } = entry!.body as RunBody;
      expect([picks.map(({ ticker }) => ticker), counts, as_of]).toEqual([tickers, true, asOf]);
    }
    await own.fleet.kill9('models');
    await expect.poll(async () => (await own.rest.get('/api/v1/models')).status).toBe(200);
    for (const { model_id, job_id } of await dailyRuns()) {
      const { body } = await own.rest.get<RecordBody>(`/api/v1/models/${model_id}/record`);
      expect(body.daily.runs, model_id).toBe(1);
      expect((await own.rest.get(`/api/v1/jobs/${job_id}`)).status).toBe(404);
    }
    const { body: usage } = await own.rest.get<{ rows: { key: string }[] }>(
      '/api/v1/admin/usage/summary?group_by=api_key',
    );
    expect(usage.rows.map(({ key }) => key)).not.toContain('operator');
  });

  test('is a field of screens on the day of each daily run, whatever other keys run', async () => {
    const runs = await dailyRunsOf(asOf);
    const all = await passing('');
    for (const { model_id, tickers } of runs) {
      const scored = () => passing(`${model_id}.picked is not null`);
      await expect.poll(async () => (await scored()).length).toBeGreaterThan(0);
      expect(await passing(`${model_id}.picked sort by ${model_id}.rank`), model_id).toEqual(tickers);
      const before = new Date(Date.parse(asOf) - DAY_MS).toISOString().slice(0, 10);
      expect(await passing(`${model_id}.picked is null`, { as_of: before })).toHaveLength(all.length);
    }
    const ofKey = await pollUntilFinal(own.rest, (await submitRunOf(own.rest, 'model_f_combined')).job_id);
    const columns = ['model_f_combined.rank', 'model_f_combined.picked'];
    const { rows } = await preview('model_f_combined.probability is not null', { columns });
    expect(rows.length).toBeGreaterThan(5);
    for (const { ticker, values } of rows) {
      const about = `/api/v1/jobs/${ofKey.job_id}/explain?ticker=${ticker}`;
      const { body } = await own.rest.get<Schemas['Explanation']>(about);
      expect(values, ticker).toEqual({
        'model_f_combined.probability': Math.fround(
          (body.contributions as Schemas['Contributions']).probability,
        ),
        'model_f_combined.rank': body.place,
        'model_f_combined.picked': body.picked,
      });
    }
    await runNow();
    const daily = runs.find(({ model_id }) => model_id === MODEL)!;
    expect(await passing(`${MODEL}.picked sort by ${MODEL}.rank`)).toEqual(daily.tickers);
    const { body } = await own.rest.get<Schemas['Fields']>('/api/v1/fields');
    expect(body.fields.find(({ name }) => name === `${MODEL}.rank`)).toMatchObject({ since: asOf });
    const mixed = 'model_f_combined.probability > 1 and rsi_14 > 1 and volume > 0';
    expect((await passing(mixed)).length).toBeGreaterThan(0);
  });

  test('judges every pick only after its horizon, by the days that followed', async () => {
    stocks = await stocksOfLastDay(own.rest);
    dates = weekdays(asOf, HORIZON_DAYS + MAX_SALE_WAIT_DAYS + 3).slice(1);
    const tickers = (counted.summary as { tickers: string[] }).tickers;
    picked = tickers.filter((ticker) => stocks.some((stock) => stock.ticker === ticker));
    expect(picked.length).toBeGreaterThanOrEqual(3);
    await addBars([...quietBars(0), ...fatefulBars(1), ...quietBars(2)]);
    await expect.poll(async () => (await entriesOf(counted.job_id)).length).toBe(2);
    expect((await recordOf()).own).toMatchObject({ n: tickers.length, open: tickers.length, filled: 0 });

    await addBars(dates.slice(3).flatMap((_, i) => quietBars(i + 3)));
    await expect.poll(async () => (await recordOf()).own.open).toBe(0);
    const { own: mine } = await recordOf();
    const wins = picked.filter((ticker) => fateOf(ticker) === 'won').length;
    expect(mine).toMatchObject({
      n: tickers.length,
      filled: picked.length,
      unfilled: tickers.length - picked.length,
      wins,
      win_rate_pct: Number(((100 * wins) / picked.length).toFixed(2)),
      net_return_pct: { low: null, high: null },
    });
    expect(mine.lift!.value! * mine.base_rate_pct!).toBeCloseTo(mine.win_rate_pct!, 0);
    const last = (await entriesOf(counted.job_id)).at(-1)!.body as OutcomeBody;
    const states = Object.fromEntries(last.picks.map(({ ticker, state }) => [ticker, state]));
    for (const ticker of picked) expect(states[ticker], ticker).toBe(fateOf(ticker));
  });

  test('loses no daily result to kills of the models service and market-data between a run and its storage', async () => {
    const [, day] = weekdays(dates.at(-1)!, 2) as [string, string];
    await addBars(stocks.map(({ ticker, close }) => ({ ticker, close, previous: close, date: day })));
    // A daily run of the day before that waited while this day was imported analyses this day, and is its only run.
    const recorded = async () =>
      (await storedEntries(database))
        .filter(({ kind, api_key_id }) => kind === 'run' && api_key_id === 'operator')
        .filter(({ body }) => (body as RunBody).as_of === day)
        .map(({ job_id }) => job_id)
        .toSorted();
    for (const [count, name] of [
      [1, 'market-data'],
      [2, 'models'],
      [3, 'market-data'],
    ] as const) {
      await expect.poll(async () => (await recorded()).length).toBeGreaterThanOrEqual(count);
      await own.fleet.kill9(name);
    }
    const expected = MODELS.filter(({ picks }) => picks).length;
    await expect.poll(async () => (await recorded()).length).toBe(expected);
    const held = () => database.selectFrom('daily_result').selectAll().execute();
    await expect.poll(held).toEqual([]);
    expect(await storedOn(day)).toEqual(await recorded());
  });

  test('can be limited to a range of days', async () => {
    const whole = await recordOf();
    expect((await recordOf(`?from=${asOf}&to=${asOf}`)).own).toEqual({ ...whole.own, history: 0 });
    expect((await recordOf(`?from=${dates[0]}`)).own).toMatchObject(NOTHING);
    expect((await recordOf('?to=1999-12-31')).own).toMatchObject(NOTHING);
  });

  test('is shown and verified by the operator, who can check it against a noted head', async () => {
    const shown = await saring(own.fleet.stateDir, 'record', 'show', MODEL);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('SYNTHETIC')]);
    const { code, head, problems } = await verifyRecord(own.fleet);
    expect([code, problems]).toEqual([0, []]);
    expect((await recordOf()).head).toEqual(head);
    const noted = `${head!.seq}:${head!.hash}`;
    expect(await verifyRecord(own.fleet, '--head', noted)).toMatchObject({ code: 0, problems: [] });
    const forged = `${head!.seq}:${'0'.repeat(64)}`;
    expect(await verifyRecord(own.fleet, '--head', forged)).toMatchObject({ code: 1 });
    const wrong = await saring(own.fleet.stateDir, 'record', 'verify', '--head', 'no head');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('SEQ:HASH')]);
  });
});

test('kill -9 of the models service and of PostgreSQL loses, duplicates and alters no entry', async () => {
  const load = new SteadyLoad(own.rest);
  for (const name of ['models', 'postgres', 'models']) {
    const timesBack = () => own.fleet.timesBack(name);
    const accepted = load.accepted.length;
    await expect.poll(() => load.accepted.length).toBeGreaterThan(accepted + 10);
    const before = timesBack();
    await own.fleet.kill9(name);
    await expect.poll(timesBack).toBe(before + 1);
  }
  const accepted = await load.stop();
  const states = await settle(own.rest, accepted);
  expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
  await database.destroy();
  database = await modelsDatabase(own.fleet);
  const runs = (await storedEntries(database)).filter(({ kind }) => kind === 'run');
  for (const job of accepted) {
    const entries = runs.filter(({ job_id }) => job_id === job);
    expect(entries, job).toHaveLength(1);
    const row = await database
      .selectFrom('run')
      .selectAll()
      .where('job_id', '=', job)
      .executeTakeFirstOrThrow();
    expect((entries[0]!.body as RunBody).picks.map(({ ticker }) => ticker)).toEqual(row.tickers);
    expect([row.record_seq, row.record_hash]).toEqual([String(entries[0]!.seq), entries[0]!.hash]);
  }
  expect(await verifyRecord(own.fleet)).toMatchObject({ code: 0, problems: [] });
});
