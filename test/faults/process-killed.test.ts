import { describe, expect, test } from 'vitest';
import {
  ledgerFaults,
  ownFleet,
  recordedRunsOf,
  settle,
  SteadyLoad,
  type BrokenFleet,
} from '../support/fleets/broken-fleet.ts';
import { untilEnded, type BackfillBody } from '../support/fleets/backfills.ts';
import { pollUntilFinal, submitRun, type JobBody } from '../support/fleets/jobs.ts';
import { addDay, fileOfNextDay, stocksOfLastDay } from '../support/markets/next-day.ts';
import { SEPARATE, SMALL_MARKET } from '../support/fleets/fleet.ts';
import { saring } from '../support/fleets/saring-cli.ts';

const own = ownFleet();
const BACK_WITHIN = { timeout: 20_000 };

/** Kills a process and waits until it is ready again and runs are accepted again. */
async function kill9UntilBack({ fleet }: BrokenFleet, name: string, load: SteadyLoad): Promise<void> {
  const timesBack = () => fleet.timesBack(name);
  const before = timesBack();
  await fleet.kill9(name);
  await expect.poll(timesBack, BACK_WITHIN).toBe(before + 1);
  const accepted = load.accepted.length;
  await expect.poll(() => load.accepted.length, BACK_WITHIN).toBeGreaterThan(accepted + 5);
}

/** What an operator and the tenants must find after a process of a fleet was killed under load. */
async function losesNothing(broken: BrokenFleet, name: string): Promise<void> {
  const load = new SteadyLoad(broken.rest);
  await expect.poll(() => load.accepted.length, BACK_WITHIN).toBeGreaterThan(5);
  await kill9UntilBack(broken, name, load);
  const accepted = await load.stop();
  expect(load.unexpected).toEqual([]);

  const states = await settle(broken.rest, accepted);
  expect([...states.values()].filter((state) => state !== 'succeeded')).toEqual([]);
  await expect
    .poll(async () => await ledgerFaults(broken, accepted).catch(() => undefined), {
      timeout: 30_000,
      interval: 250,
    })
    .toEqual({ doubled: 0, open: 0, missing: 0 });
  expect(await recordedRunsOf(broken, load.endUser)).toBe(accepted.length);
}

test.each(['models', 'gateway', 'market-data', 'nats', 'postgres', 'clickhouse'])(
  'kill -9 of the process of %s loses no accepted run, records each once and duplicates no usage row',
  (name) => losesNothing(own, name),
);

describe('where each service has a process of its own', () => {
  const separate = ownFleet({ ...SMALL_MARKET, ...SEPARATE });

  test.each(['models', 'usage', 'keys'])(
    'kill -9 of %s alone loses no accepted run, records each once and duplicates no usage row',
    (name) => losesNothing(separate, name),
  );
});

interface UsageEvent {
  job_id: string;
  channel: string;
  status: string;
}

async function schedules<Answer>(...words: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await saring(own.fleet.stateDir, 'schedules', ...words, '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Answer;
}

test('a schedule runs a day added after a kill -9 of the scheduler once, for its key, recorded as scheduled', async () => {
  const { dataset } = (await own.rest.get<{ dataset: { last_date: string } }>('/api/health')).body;
  const file = await fileOfNextDay(dataset.last_date, await stocksOfLastDay(own.rest), own.fleet.stateDir);
  const request = ['--name', 'evening', '--key', own.keyId, '--model', 'confluence_filter'];
  const { id } = await schedules<{ id: string }>('create', ...request, '--end-user', 'newsletter');
  await own.fleet.kill9('scheduler');
  const { last_date, version } = await addDay(own.fleet.stateDir, file);

  const firings = async () => {
    const log = await schedules<{ firings: { trading_day: string; job_id: string }[] }>('log', id);
    return log.firings.map(({ trading_day, job_id }) => [trading_day, typeof job_id]);
  };
  await expect.poll(() => firings().catch(() => undefined), BACK_WITHIN).toEqual([[last_date, 'string']]);
  const { last_job_id: jobId } = await schedules<{ last_job_id: string }>('show', id);
  const job = await pollUntilFinal(own.rest, jobId);
  expect(job).toMatchObject({ status: 'succeeded', params: { analysis_date: last_date } });
  expect(job.result).toMatchObject({ as_of: last_date, diag: { dataset_version: version } });
  const events = async () => {
    const path = '/api/v1/usage/events?end_user=newsletter';
    return (await own.rest.get<{ events: UsageEvent[] }>(path)).body.events;
  };
  await expect
    .poll(events, BACK_WITHIN)
    .toMatchObject([{ job_id: jobId, channel: 'scheduled', status: 'succeeded' }]);
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
    await expect.poll(progress, BACK_WITHIN).toBeGreaterThan(1);
    await own.fleet.kill9(name);
    const ended = await untilEnded(own.rest, backfill_id);
    expect(ended).toMatchObject({ days_done: days_total });
    const days: string[] = [];
    for (let next: string | null = `${path}/pages?limit=50`; next !== null;) {
      const { body }: { body: BackfillPages } = await own.rest.get<BackfillPages>(next);
      days.push(...body.pages.map(({ as_of }) => as_of));
      next = body.next_url;
    }
    expect(days).toHaveLength(days_total);
    expect(days).toEqual([...new Set(days)].toSorted());
  },
);

interface BackfillPages {
  pages: { as_of: string }[];
  next_url: string | null;
}

test('a finished job whose result has left memory answers 200 from the ledger, with its summary', async () => {
  const live = await submitRun(own.rest, {}, '?wait=30');
  expect(live).toMatchObject({ status: 'succeeded', result_available: true });
  await own.fleet.kill9('nats');
  await expect
    .poll(async () => (await own.rest.get<JobBody>(`/api/v1/jobs/${live.job_id}`)).body.source, BACK_WITHIN)
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
