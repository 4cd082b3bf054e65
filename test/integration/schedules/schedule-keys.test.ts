import { afterAll, expect, test } from 'vitest';
import { makeFolder, removeFolders, writeFleetFile } from '#support/fleets/cli-surroundings.ts';
import { runCli } from '#support/fleets/saring-cli.ts';
import { anybody, operator } from '#support/services/dataset-client.ts';
import { ownScheduler } from '#support/services/own-scheduler.ts';

/** A Monday. Every test continues from the day that the previous one left. */
const own = ownScheduler('2024-07-01');
const { others } = own;
const PATIENTLY = { timeout: 20_000, interval: 50 };

afterAll(removeFolders);

test('a schedule of a deleted key is held up at once and ends when due; it is named until somebody disables it', async () => {
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
  expect(await shown('list')).toMatch(new RegExp(`${id} .+ held up +none yet +${reason}`));

  others.newestDay = '2024-07-02';
  await own.untilFired(schedule, [['2024-07-02', 'refused']]);
  const ended = { enabled: false, fires_after: undefined, held_up_by: reason };
  await expect.poll(() => own.listed(schedule), PATIENTLY).toMatchObject(ended);
  expect(await shown('list')).toMatch(new RegExp(`${id} .+ ended +2024-07-02 +${reason}`));
  expect(await shown('show', id)).toMatch(new RegExp(`: ended$[^]+^  ended     ${reason}$`, 'm'));
  await expect.poll(counts, PATIENTLY).toEqual({ enabled: 0, cannot_fire: 1 });

  await own.client.updateSchedule({ id, enabled: false, params: undefined }, operator);
  expect(await own.listed(schedule)).toMatchObject({ enabled: false, held_up_by: undefined });
  expect(await shown('list')).toMatch(new RegExp(`${id} .+ disabled +2024-07-02$`, 'm'));
  await expect.poll(counts, PATIENTLY).toEqual({ enabled: 0, cannot_fire: 0 });
});

test('a key that may not run gets no schedule', async () => {
  const reader = others.addKey({ scopes: ['data:read'] });
  await expect(own.create({ api_key_id: reader })).rejects.toMatchObject({ code: 'insufficient_scope' });
});

test('nothing runs for a disabled, expired or deleted key, and the log says why', async () => {
  const [disabled, expired, gone] = [others.addKey(), others.addKey(), others.addKey()];
  const schedules = await Promise.all([disabled, expired, gone].map((id) => own.create({ api_key_id: id })));
  others.keys.get(disabled)!.disabled = true;
  others.keys.get(expired)!.expires_at = new Date(Date.now() - 1_000);
  others.keys.delete(gone);
  others.newestDay = '2024-07-03';
  const reasons = [];
  for (const schedule of schedules) {
    const [firing] = await own.untilFired(schedule, [['2024-07-03', 'refused']]);
    reasons.push(firing!.reason);
    expect(others.submitted.filter(({ actor }) => actor === schedule.id)).toEqual([]);
  }
  expect(reasons).toEqual([
    `Key ${disabled} is disabled. (key_disabled)`,
    `Key ${expired} has expired. (invalid_api_key)`,
    `There is no key ${gone}. (not_found)`,
  ]);
});
