import { expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { untilEnded, type BackfillBody } from '#support/rest/backfills.ts';
import { pollUntilFinal, submitRun, type JobBody } from '#support/rest/jobs.ts';
import { addDay, fileOfNextDay, stocksOfLastDay } from '#support/markets/next-day.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { servedDataset } from '#support/rest/served-dataset.ts';
import { losesNothing } from '#support/fleets/loses-nothing.ts';
import { own } from './fleet.ts';

test.each(['models', 'gateway', 'market-data', 'nats', 'postgres', 'clickhouse'])(
  'kill -9 of the process of %s loses no accepted run, records each once and duplicates no usage row',
  (name) => losesNothing(own, name),
);

async function schedules<Answer>(...words: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await saring(own.fleet.stateDir, 'schedules', ...words, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Answer;
}

test('a schedule runs a day added after a kill -9 of the scheduler once, for its key, recorded as scheduled', async () => {
  const dataset = await servedDataset(own.rest);
  const file = await fileOfNextDay(dataset.last_date, await stocksOfLastDay(own.rest), own.fleet.stateDir);
  const request = ['--name', 'evening', '--key', own.keyId, '--model', 'confluence_filter'];
  const { id } = await schedules<{ id: string }>('create', ...request, '--end-user', 'newsletter');
  await own.fleet.kill9('scheduler');
  const { last_date, version } = await addDay(own.fleet.stateDir, file);

  const firings = async () => {
    const log = await schedules<{ firings: { trading_day: string; job_id: string }[] }>('log', id);
    return log.firings.map(({ trading_day, job_id }) => [trading_day, typeof job_id]);
  };
  await expect.poll(() => firings().catch(() => undefined)).toEqual([[last_date, 'string']]);
  const { last_job_id: jobId } = await schedules<{ last_job_id: string }>('show', id);
  const job = await pollUntilFinal(own.rest, jobId);
  expect(job).toMatchObject({ status: 'succeeded', params: { analysis_date: last_date } });
  expect(job.result).toMatchObject({ as_of: last_date, diag: { dataset_version: version } });
  const events = async () => {
    const path = '/api/v1/usage/events?end_user=newsletter';
    return (await own.rest.get<Schemas['UsagePage']>(path)).body.events;
  };
  await expect.poll(events).toMatchObject([{ job_id: jobId, channel: 'scheduled', status: 'succeeded' }]);
});

test.each(['model-worker-1', 'models'])(
  'kill -9 of %s during a backfill leaves every day with exactly one page',
  async (name) => {
    const { body: market } = await own.rest.get<{ date: string }>('/api/v1/data/market-overview');
    const begun = await own.rest.post<BackfillBody>(
      '/api/v1/models/confluence_filter/backfills',
      { from: '1990-01-01', to: market.date, step: 'week', params: { min_price: 50 } },
      { endUser: 'historian' },
    );
    const { backfill_id, days_total } = begun.body;
    const path = `/api/v1/backfills/${backfill_id}`;
    const progress = async () => (await own.rest.get<BackfillBody>(path)).body.days_done;
    await expect.poll(progress).toBeGreaterThan(1);
    await own.fleet.kill9(name);
    const ended = await untilEnded(own.rest, backfill_id);
    expect(ended).toMatchObject({ days_done: days_total });
    const days: string[] = [];
    for (let next: string | null = `${path}/pages?limit=50`; next !== null;) {
      const { body }: { body: Schemas['BackfillPages'] } = await own.rest.get(next);
      days.push(...body.pages.map(({ as_of }) => as_of));
      next = body.next_url;
    }
    expect(days).toHaveLength(days_total);
    expect(days).toEqual([...new Set(days)].toSorted());
  },
);

test('a finished job whose result has left memory answers 200 from the ledger, with its summary', async () => {
  const live = await submitRun(own.rest, {}, '?wait=30');
  expect(live).toMatchObject({ status: 'succeeded', result_available: true });
  await own.fleet.kill9('nats');
  await expect
    .poll(async () => (await own.rest.get<JobBody>(`/api/v1/jobs/${live.job_id}`)).body.source)
    .toBe('ledger');
  const { status, body } = await own.rest.get<JobBody>(`/api/v1/jobs/${live.job_id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'succeeded', result_available: false, summary: live['summary'] });
  expect(body).not.toHaveProperty('result');
  const listed = await own.rest.get<{ jobs: JobBody[] }>('/api/v1/jobs');
  expect(listed.body.jobs[0]).toMatchObject({
    job_id: live.job_id,
    source: 'ledger',
    result_available: false,
  });
});
