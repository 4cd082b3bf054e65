import { afterAll, expect, test } from 'vitest';
import { makeFolder, removeFolders, writeFleetFile } from '#support/fleets/cli-surroundings.ts';
import { runCli } from '#support/fleets/saring-cli.ts';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { testScheduler } from '#support/services/test-scheduler.ts';

/** A Monday. Every test continues from the day that the previous one left. */
const own = testScheduler('2024-07-01');
const { others } = own;

afterAll(removeFolders);

test('a schedule of a deleted key is held up at once and ends when due; it cannot be enabled, and is named until it is disabled', async () => {
  const stateDir = await makeFolder();
  await writeFleetFile(stateDir, { keys: 'x:1', market_data: 'x:1', scheduler: own.address });
  const shown = async (...words: string[]) =>
    (await runCli(['schedules', ...words], { env: { STATE_DIR: stateDir } })).stdout;
  const counts = () => own.client.countSchedules({}, anybody);

  const schedule = await own.create();
  const { id, api_key_id } = schedule;
  expect(await counts()).toEqual({ enabled: 1, cannot_fire: 0 });
  others.keys.delete(api_key_id);
  const reason = `There is no key ${api_key_id}.`;
  expect(await own.listed(schedule)).toMatchObject({ enabled: true, held_up_by: reason });
  await expect.poll(counts).toEqual({ enabled: 1, cannot_fire: 1 });
  expect(await shown('list')).toMatch(new RegExp(`${id} .+ held up +none yet +${reason}`));

  others.newestDay = '2024-07-02';
  await own.untilFired(schedule, [['2024-07-02', 'refused']]);
  const ended = { enabled: false, fires_after: undefined, held_up_by: reason };
  await expect.poll(() => own.listed(schedule)).toMatchObject(ended);
  expect(await shown('list')).toMatch(new RegExp(`${id} .+ ended +2024-07-02 +${reason}`));
  expect(await shown('show', id)).toMatch(new RegExp(`: ended$[^]+^  ended     ${reason}$`, 'm'));
  await expect.poll(counts).toEqual({ enabled: 0, cannot_fire: 1 });

  const enabling = own.client.updateSchedule({ id, enabled: true, params: undefined }, operator);
  await expect(enabling).rejects.toMatchObject({ code: 'not_found', message: reason });
  expect(await own.listed(schedule)).toMatchObject(ended);

  await own.client.updateSchedule({ id, enabled: false, params: undefined }, operator);
  expect(await own.listed(schedule)).toMatchObject({ enabled: false, held_up_by: undefined });
  expect(await shown('list')).toMatch(new RegExp(`${id} .+ disabled +2024-07-02$`, 'm'));
  await expect.poll(counts).toEqual({ enabled: 0, cannot_fire: 0 });
});

const LOSSES = [
  {
    what: 'is disabled',
    lose: (id: string) => (others.keys.get(id)!.disabled = true),
    code: 'key_disabled',
    reason: (id: string) => `Key ${id} is disabled.`,
  },
  {
    what: 'has expired',
    lose: (id: string) => (others.keys.get(id)!.expires_at = new Date(Date.now() - 1_000)),
    code: 'invalid_api_key',
    reason: (id: string) => `Key ${id} has expired.`,
  },
  {
    what: 'has lost models:run',
    lose: (id: string) => (others.keys.get(id)!.scopes = ['data:read']),
    code: 'insufficient_scope',
    reason: (id: string) => `Key ${id} lacks the scope models:run.`,
  },
  {
    what: 'is deleted',
    lose: (id: string) => others.keys.delete(id),
    code: 'not_found',
    reason: (id: string) => `There is no key ${id}.`,
  },
];

test.each(LOSSES)(
  'for a key that $what no schedule is created or enabled, and an enabled one is held up at once',
  async ({ lose, code, reason }) => {
    const api_key_id = others.addKey();
    const [enabled, disabled] = [await own.create({ api_key_id }), await own.create({ api_key_id })];
    const change = { id: disabled.id, params: undefined };
    await own.client.updateSchedule({ ...change, enabled: false }, operator);
    lose(api_key_id);
    const refusal = { code, message: reason(api_key_id) };
    await expect(own.create({ api_key_id })).rejects.toMatchObject(refusal);
    const enabling = own.client.updateSchedule({ ...change, enabled: true, name: 'new' }, operator);
    await expect(enabling).rejects.toMatchObject(refusal);
    expect(await own.listed(enabled)).toMatchObject({ enabled: true, held_up_by: reason(api_key_id) });
    expect(await own.listed(disabled)).toEqual({ ...disabled, enabled: false, fires_after: undefined });
  },
);

test('nothing runs for a disabled, expired or deleted key or one that lost models:run, and the log says why', async () => {
  const keys = LOSSES.map((loss) => ({ ...loss, id: others.addKey() }));
  const schedules = await Promise.all(keys.map(({ id }) => own.create({ api_key_id: id })));
  for (const { lose, id } of keys) lose(id);
  others.newestDay = '2024-07-03';
  const reasons = [];
  for (const schedule of schedules) {
    const [firing] = await own.untilFired(schedule, [['2024-07-03', 'refused']]);
    reasons.push(firing!.reason);
    expect(others.submitted.filter(({ actor }) => actor === schedule.id)).toEqual([]);
  }
  expect(reasons).toEqual(keys.map(({ reason, id, code }) => `${reason(id)} (${code})`));
});
