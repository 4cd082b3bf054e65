import { afterAll, expect, test } from 'vitest';
import { makeFolder, removeFolders, writeFleetFile } from '#support/fleets/cli-surroundings.ts';
import type { Schedule } from '#proto/saring/scheduler/v1/scheduler.ts';
import { operator } from '#support/services/dataset-client.ts';
import { testScheduler } from '#support/services/test-scheduler.ts';
import { runCli } from '#support/fleets/saring-cli.ts';

/** A Monday. Every test continues from the day that the previous one left. */
const own = testScheduler('2024-07-01');
const { others } = own;

afterAll(removeFolders);

const submissionsFor = (id: string) => others.submitted.filter(({ actor }) => actor === id);

test('an invalid schedule is refused by the service that knows the mistake', async () => {
  const dated = { params: { analysis_date: 'today' } };
  const mistake = (name: string) => ({
    code: 'invalid_request',
    detail: [{ loc: ['body', 'params', name] }],
  });
  await expect(own.create(dated)).rejects.toMatchObject(mistake('analysis_date'));
  await expect(own.create({ model_id: 'none' })).rejects.toMatchObject({ code: 'model_not_found' });
  await expect(own.create({ params: { lookback: 0 } })).rejects.toMatchObject(mistake('lookback'));
  const { id } = await own.create();
  for (const change of [{ params: { lookback: 0 } }, dated]) {
    await expect(own.client.updateSchedule({ id, ...change }, operator)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  }
  const unknown = { id: 'sch_none' };
  const changing = own.client.updateSchedule({ ...unknown, params: undefined }, operator);
  await expect(changing).rejects.toMatchObject({ code: 'not_found' });
  await expect(own.client.deleteSchedule(unknown, operator)).rejects.toMatchObject({ code: 'not_found' });
});

test('no schedule is created while the latest trading day is unknown', async () => {
  others.unavailable.set('market-data', 'fails');
  await expect(own.create()).rejects.toMatchObject({ code: 'data_unavailable' });
  others.unavailable.clear();
  const { newestDay } = others;
  others.newestDay = undefined;
  await expect(own.create()).rejects.toMatchObject({ code: 'data_unavailable' });
  others.newestDay = newestDay;
});

test('any number of processes run a new day once, as scheduled, and never the day before', async () => {
  const apiKey = others.addKey();
  const schedule = await own.create({ params: { lookback: 7 }, view: 'compact', api_key_id: apiKey });
  expect(schedule).toMatchObject({
    id: expect.stringMatching(/^sch_[0-9a-f]{24}$/) as string,
    enabled: true,
  });
  others.newestDay = '2024-07-02';
  const [firing] = await own.untilFired(schedule, [['2024-07-02', 'accepted']]);
  const { id } = schedule;
  expect(submissionsFor(id)).toEqual([
    {
      model_id: 'confluence_filter',
      params: { lookback: 7 },
      view: 'compact',
      api_key_id: apiKey,
      end_user: 'newsletter',
      channel: 'scheduled',
      actor: id,
      idempotency_key: `${id}:2024-07-02`,
      trading_day: '2024-07-02',
    },
  ]);
  expect(firing).toMatchObject({ job_id: others.runs.get(`${id}:2024-07-02`), reason: undefined });
  const { schedules } = await own.client.listSchedules({}, operator);
  expect(schedules.at(-1)).toEqual({
    ...schedule,
    fires_after: '2024-07-02',
    last_trading_day: '2024-07-02',
    last_job_id: firing!.job_id,
  });
});

test('of several new days only the newest runs; weeks and months start with their first new day', async () => {
  const daily = await own.create();
  const weekly = await own.create({ calendar: 'weekly' });
  const monthly = await own.create({ calendar: 'monthly' });
  const due = { '2024-07-05': [daily], '2024-07-09': [daily, weekly], '2024-07-10': [daily] };
  const dueLater = {
    '2024-08-01': [daily, weekly, monthly],
    '2024-08-05': [daily, weekly],
    '2024-08-06': [daily],
  };
  for (const [day, schedules] of Object.entries({ ...due, ...dueLater })) {
    others.newestDay = day;
    for (const schedule of schedules) await own.untilRun(schedule, day);
  }
  await own.untilFired(weekly, [
    ['2024-08-05', 'accepted'],
    ['2024-08-01', 'accepted'],
    ['2024-07-09', 'accepted'],
  ]);
  await own.untilFired(monthly, [['2024-08-01', 'accepted']]);
  expect(own.runsOf(daily)).toHaveLength(6);
});

test('a disabled schedule runs nothing, and does not catch up once enabled', async () => {
  const [schedule, witness] = [await own.create(), await own.create()];
  const change = (enabled: boolean) =>
    own.client.updateSchedule({ id: schedule.id, enabled, params: undefined }, operator);
  expect((await change(false)).schedule!.enabled).toBe(false);
  others.newestDay = '2024-08-07';
  await own.untilFired(witness, [['2024-08-07', 'accepted']]);
  expect((await change(true)).schedule!.enabled).toBe(true);
  others.newestDay = '2024-08-08';
  await own.untilFired(schedule, [['2024-08-08', 'accepted']]);
});

test('a change applies from the next day on; a deleted schedule stops, and its log stays', async () => {
  const [changed, deleted] = [await own.create(), await own.create()];
  others.newestDay = '2024-08-09';
  await own.untilFired(deleted, [['2024-08-09', 'accepted']]);
  await own.untilFired(changed, [['2024-08-09', 'accepted']]);
  const change = { id: changed.id, name: 'new', calendar: 'weekly', params: { lookback: 9 } };
  const { schedule } = await own.client.updateSchedule(change, operator);
  expect(schedule).toMatchObject({ name: 'new', calendar: 'weekly', params: { lookback: 9 } });
  await own.client.deleteSchedule({ id: deleted.id }, operator);
  others.newestDay = '2024-08-12';
  await own.untilFired(changed, [
    ['2024-08-12', 'accepted'],
    ['2024-08-09', 'accepted'],
  ]);
  expect(submissionsFor(changed.id).map(({ params }) => params)).toEqual([{}, { lookback: 9 }]);
  expect(await own.firingsOf(deleted)).toHaveLength(1);
  const { schedules } = await own.client.listSchedules({}, operator);
  expect(schedules.map(({ id }) => id)).not.toContain(deleted.id);
});

test('the command line creates, shows, changes, logs and deletes a schedule', async () => {
  const stateDir = await makeFolder();
  await writeFleetFile(stateDir, { keys: 'x:1', market_data: 'x:1', scheduler: own.address });
  const cli = (...words: string[]) => runCli(['schedules', ...words], { env: { STATE_DIR: stateDir } });
  const json = async <T>(...words: string[]) => {
    const { code, stdout, stderr } = await cli(...words, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout) as T;
  };
  const request = ['--name', 'evening', '--key', others.addKey(), '--model', 'confluence_filter'];
  const schedule = await json<Schedule>('create', ...request, '--params', '{"lookback": 7}');
  const { id } = schedule;
  expect(schedule).toMatchObject({
    name: 'evening',
    end_user: 'scheduler',
    params: { lookback: 7 },
    view: 'full',
    calendar: 'daily',
    enabled: true,
    last_trading_day: null,
    last_job_id: null,
  });
  others.newestDay = '2024-08-15';
  const [firing] = await own.untilFired(schedule, [['2024-08-15', 'accepted']]);
  expect((await cli('log', id)).stdout).toMatch(
    new RegExp(`2024-08-15 +real .+${id} +accepted +${firing!.job_id}`),
  );
  expect(await json('log', id)).toMatchObject({
    firings: [{ market: 'real', outcome: 'accepted', job_id: firing!.job_id, reason: null }],
  });
  const changed = await json('update', id, '--disable', '--calendar', 'weekly');
  expect(changed).toMatchObject({ name: 'evening', enabled: false, calendar: 'weekly' });
  expect(await json('show', id)).toEqual(changed);
  expect((await cli('list')).stdout).toMatch(new RegExp(`${id} +evening .+ disabled +2024-08-15`));
  expect(await json('delete', id)).toEqual({ id, change: 'deleted' });
  expect(await cli('show', id)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/no schedule .+\(not_found\)/) as string,
  });
});

test.each([
  [
    'a calendar that is none',
    ['create', '--name', 'a', '--key', 'k', '--model', 'm', '--calendar', 'hourly'],
  ],
  [
    'parameters that are no object',
    ['create', '--name', 'a', '--key', 'k', '--model', 'm', '--params', '[1]'],
  ],
  ['a change of nothing', ['update', 'sch_1']],
  ['a change to both', ['update', 'sch_1', '--enable', '--disable']],
  ['a limit that 32 bits do not hold', ['log', '--limit', '4294967297']],
  ['a limit of none', ['log', '--limit', '0']],
])('%s is wrong usage: exit code 2, without a stack trace', async (_, words) => {
  const { code, stdout, stderr } = await runCli(['schedules', ...words]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).not.toMatch(/^$|\bat .+:\d+/);
});

test('a schedule fires on new days of whichever market is served, and days of one do not move it past those of the other', async () => {
  const schedule = await own.create();
  const first = others.newestDay!;
  const fired = async () =>
    (await own.firingsOf(schedule)).map(({ market, trading_day }) => `${market} ${trading_day}`);
  others.market = 'synthetic';
  others.newestDay = '2026-09-30';
  await expect.poll(async () => (await own.listed(schedule)).fires_after).toBe('2026-09-30');
  others.newestDay = '2026-10-01';
  await expect.poll(fired).toEqual(['synthetic 2026-10-01']);
  others.market = 'real';
  others.newestDay = first;
  await expect.poll(async () => (await own.listed(schedule)).fires_after).toBe(first);
  others.newestDay = '2024-09-02';
  await expect.poll(fired).toEqual(['real 2024-09-02', 'synthetic 2026-10-01']);
});

test('a schedule says when it fires next and what is in its way', async () => {
  const schedule = await own.create();
  const newest = others.newestDay!;
  const free = { fires_after: newest, held_up_by: undefined };
  await expect.poll(() => own.listed(schedule)).toMatchObject(free);
  others.newestDay = '2024-01-31';
  const behind = `The served real market ends on 2024-01-31, and the schedule has come to ${newest}. If the market has not reached that day by `;
  await expect
    .poll(async () => (await own.listed(schedule)).held_up_by)
    .toMatch(new RegExp(`^${behind}20.+, it goes on from 2024-01-31.$`));
  others.newestDay = newest;
  others.keys.get(schedule.api_key_id)!.scopes = ['data:read'];
  const lacks = `Key ${schedule.api_key_id} lacks the scope models:run.`;
  await expect.poll(async () => (await own.listed(schedule)).held_up_by).toBe(lacks);
});

test('a permanent refusal by models, as of a universe unknown on a day, is not retried, and the schedule goes on', async () => {
  const schedule = await own.create({ params: { tickers: ['universe:LQ45'] } });
  others.hasNoUniverses = true;
  others.newestDay = '2024-09-05';
  const [firing] = await own.untilFired(schedule, [['2024-09-05', 'refused']]);
  expect(firing!.reason).toBe("There is no universe 'LQ45'. (not_found)");
  others.hasNoUniverses = false;
  others.newestDay = '2024-09-06';
  await own.untilFired(schedule, [
    ['2024-09-06', 'accepted'],
    ['2024-09-05', 'refused'],
  ]);
  const days = submissionsFor(schedule.id).map(({ trading_day }) => trading_day);
  expect(days).toEqual(['2024-09-05', '2024-09-06']);
});
