import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import type { Model } from '#models/model/model.ts';
import { MODELS } from '#models/registry.ts';
import { makeFolder, removeFolders } from '#support/fleets/cli-surroundings.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { pollUntilFinal, submitRunOf } from '#support/rest/jobs.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { idxFile, weekdays } from '#support/markets/idx-archive.ts';
import { examine } from './examination.ts';
import { own } from './fleet.ts';

const idsOf = (isMeant: (model: Model) => boolean) => MODELS.filter(isMeant).map(({ id }) => id);
const health = async () => (await own.rest.get<Schemas['Health']>('/api/health')).body;

afterAll(removeFolders);

/** Imports a dataset of two stocks with so many trading days in place of the served one. */
async function serveDays(count: number): Promise<void> {
  const folder = await makeFolder();
  const days = weekdays('2024-01-01', count).map((date) => ({ date, close: 100 }));
  for (const ticker of ['AAAA', 'BBBB']) await writeFile(path.join(folder, `${ticker}.csv`), idxFile(days));
  expect(await saring(own.fleet.stateDir, 'dataset', 'import', folder, '--replace')).toMatchObject({
    code: 0,
  });
}

test('the doctor reports an old dataset', async () => {
  await serveDays(120);
  const old = (await examine()).filter(({ check }) => check === 'dataset');
  expect(old).toMatchObject([
    {
      what: expect.stringMatching(
        /^The dataset real-20240712-1 ends on 2024-07-12 and is \d+ trading days behind since .+, late:/,
      ) as string,
      fix: expect.stringMatching(/feed/) as string,
    },
  ]);
  const able = async () => (await health()).models.filter((model) => model.can_complete).map(({ id }) => id);
  await expect.poll(able).toEqual(idsOf((model) => !model.learns));
});

test('with six trading days health says of each model why no run can complete, and runs fail for that', async () => {
  await serveDays(6);
  const { key } = await issueKey(own.fleet.stateDir, 'models:run');
  const rest = own.rest.as(key);
  const reasons = async () =>
    new Map((await health()).models.map(({ id, can_complete, reason }) => [id, can_complete || reason]));
  const expected = MODELS.map(({ id, learns }): [string, string] => [
    id,
    `Data yang tersedia baru 6 hari bursa, sedangkan model memerlukan ${learns ? 274 : 120} hari.`,
  ]);
  await expect.poll(reasons).toEqual(new Map(expected));
  const params = { positions: [{ ticker: 'AAAA', pnl_input: -5 }] };
  const failureOf = async (id: string) => {
    const { job_id } = await submitRunOf(rest, id, id === 'recovery_v4' ? params : {});
    return (await pollUntilFinal(rest, job_id)).error?.message;
  };
  // Workers may load the dataset later than health knows it.
  for (const [id, message] of expected) await expect.poll(() => failureOf(id)).toBe(message);
  const found = (await examine()).filter(({ check }) => check === 'models');
  expect(found.map(({ what }) => what)).toEqual([
    `No run of ${idsOf(({ learns }) => learns).join(', ')} can complete. ` +
      'There are only 6 trading days of data, and the model needs 274.',
    `No run of ${idsOf(({ learns }) => !learns).join(', ')} can complete. ` +
      'There are only 6 trading days of data, and the model needs 120.',
  ]);
});

test('with enough days of only two stocks health says that no model that learns can complete, as its runs do', async () => {
  await serveDays(274);
  const { key } = await issueKey(own.fleet.stateDir, 'models:run');
  const rest = own.rest.as(key);
  const reasonOf = async (id: string) => (await health()).models.find((model) => model.id === id)!.reason;
  await expect
    .poll(() => reasonOf('model_f_combined'))
    .toBe(
      'Data untuk belajar terlalu sedikit: paling banyak 260 contoh dari 2 saham, sedangkan model memerlukan 1.000.',
    );
  expect(await reasonOf('confluence_filter')).toBeNull();
  const failureOf = async () => {
    const { job_id } = await submitRunOf(rest, 'model_f_combined', {});
    return (await pollUntilFinal(rest, job_id)).error?.message;
  };
  await expect.poll(failureOf).toMatch(/^Data untuk belajar terlalu sedikit: baru \d+ contoh/);
});
