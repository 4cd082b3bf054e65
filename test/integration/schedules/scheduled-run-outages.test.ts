import pg from 'pg';
import { expect, test } from 'vitest';
import type { Schedule } from '#proto/saring/scheduler/v1/scheduler.ts';
import { operator } from '#support/services/dataset-client.ts';
import { testScheduler } from '#support/services/test-scheduler.ts';

/** A Monday. Every test continues from the day that the previous one left. */
const own = testScheduler('2024-07-01');
const { others } = own;

const attemptsFor = ({ id }: Schedule) => others.submitted.filter(({ actor }) => actor === id).length;

const reasonOf = async (schedule: Schedule) => (await own.firingsOf(schedule)).at(0)?.reason;

/** Makes waiting firings due, as if this much time had passed since their first attempt. */
async function letTimePass(hours: number): Promise<void> {
  const client = new pg.Client(own.servers.databaseUrl);
  await client.connect();
  await client.query(
    `update scheduler.firing set next_attempt_at = now(),
       first_attempt_at = first_attempt_at - make_interval(hours => $1) where outcome is null`,
    [hours],
  );
  await client.end();
}

test('during a models outage a run waits until models return or a newer day replaces it', async () => {
  const schedule = await own.create();
  others.unavailable.set('models', 'fails');
  others.newestDay = '2024-07-02';
  await expect.poll(() => reasonOf(schedule)).toBe('Try again. (model_unavailable)');
  others.newestDay = '2024-07-03';
  await own.untilFired(schedule, [
    ['2024-07-03', 'waiting'],
    ['2024-07-02', 'waiting'],
  ]);
  others.unavailable.clear();
  const [accepted, givenUp] = await own.untilFired(schedule, [
    ['2024-07-03', 'accepted'],
    ['2024-07-02', 'refused'],
  ]);
  expect(givenUp!.reason).toBe('Given up when 2024-07-03 came: Try again. (model_unavailable)');
  expect(accepted).toMatchObject({ reason: undefined, job_id: expect.any(String) as string });
  expect(own.runsOf(schedule)).toEqual(['2024-07-03']);
});

test('a run that started without an answer belongs to its firing, even if a newer day comes first', async () => {
  const schedule = await own.create();
  others.unavailable.set('models', 'hangs');
  others.newestDay = '2024-07-04';
  await expect.poll(() => own.runsOf(schedule)).toEqual(['2024-07-04']);
  others.newestDay = '2024-07-05';
  await own.untilFired(schedule, [
    ['2024-07-05', 'waiting'],
    ['2024-07-04', 'waiting'],
  ]);
  others.unavailable.clear();
  const firings = await own.untilFired(schedule, [
    ['2024-07-05', 'accepted'],
    ['2024-07-04', 'accepted'],
  ]);
  expect(firings.map(({ job_id }) => job_id)).toEqual(
    ['2024-07-05', '2024-07-04'].map((day) => others.runs.get(`${schedule.id}:${day}`)),
  );
});

test('a firing that could not run for 23 hours is given up', async () => {
  const schedule = await own.create({ calendar: 'monthly' });
  others.unavailable.set('models', 'fails');
  others.newestDay = '2024-08-01';
  await expect.poll(() => reasonOf(schedule)).toBe('Try again. (model_unavailable)');
  await letTimePass(24);
  others.unavailable.clear();
  const [firing] = await own.untilFired(schedule, [['2024-08-01', 'refused']]);
  expect(firing!.reason).toBe('Given up after 23 hours: Try again. (model_unavailable)');
  expect(own.runsOf(schedule)).toEqual([]);
});

test.each([
  ['before its submission', 'keys', 0],
  ['between its submission and its record', 'models', 1],
] as const)('a process killed %s runs a firing once', async (_, part, runsBefore) => {
  const schedule = await own.create();
  const day = { keys: '2024-08-02', models: '2024-08-05' }[part];
  others.unavailable.set(part, 'hangs');
  others.newestDay = day;
  await own.untilFired(schedule, [[day, 'waiting']]);
  await expect.poll(() => own.runsOf(schedule)).toHaveLength(runsBefore);
  await own.stop('SIGKILL');
  others.unavailable.clear();
  await letTimePass(1);
  await own.start(2);
  const [firing] = await own.untilFired(schedule, [[day, 'accepted']]);
  expect(own.runsOf(schedule)).toEqual([day]);
  expect(firing!.job_id).toBe(others.runs.get(`${schedule.id}:${day}`));
  expect(attemptsFor(schedule)).toBeGreaterThan(runsBefore);
});

test('days that arrive during a market-data outage run afterwards', async () => {
  const schedule = await own.create();
  others.unavailable.set('market-data', 'fails');
  const refusedBefore = others.refusedWatches;
  await expect.poll(() => others.refusedWatches).toBeGreaterThan(refusedBefore + 2);
  others.newestDay = '2024-08-06';
  others.unavailable.clear();
  await own.untilFired(schedule, [['2024-08-06', 'accepted']]);
});

test('a schedule disabled or deleted while its run waits runs nothing', async () => {
  const [disabled, deleted] = [await own.create(), await own.create()];
  others.unavailable.set('models', 'fails');
  others.newestDay = '2024-08-07';
  for (const schedule of [disabled, deleted]) {
    await expect.poll(() => attemptsFor(schedule)).toBeGreaterThan(0);
    await own.untilFired(schedule, [['2024-08-07', 'waiting']]);
  }
  await own.client.updateSchedule({ id: disabled.id, enabled: false, params: undefined }, operator);
  await own.client.deleteSchedule({ id: deleted.id }, operator);
  others.unavailable.clear();
  await letTimePass(1);
  const witness = await own.create();
  others.newestDay = '2024-08-08';
  await own.untilFired(witness, [['2024-08-08', 'accepted']]);
  const [refused] = await own.firingsOf(disabled);
  expect(refused).toMatchObject({
    outcome: 'refused',
    reason: 'The schedule was disabled before its run was confirmed.',
  });
  expect(await own.firingsOf(deleted)).toEqual([]);
  expect([...own.runsOf(disabled), ...own.runsOf(deleted)]).toEqual([]);
});
