import { expect, test } from 'vitest';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';

/** Runs of screens in the usage history. */

const tenant = ownTenant();
const ALICE = { endUser: 'alice' };
const BOB = { endUser: 'bob' };

const recorded = async (query: object = {}) => (await tenant.client.usage.screenRuns(query).first()).runs;

test('each run and preview of rules is recorded once, for its end user, and is no usage event', async () => {
  const { screens, usage } = tenant.client;
  const rules = 'close > 0 sort by value_idr desc limit 2';
  const { screen_id } = await screens.create({ name: 'large', rules, shared: true, ...ALICE });
  const run = await screens.run(screen_id, ALICE);
  await screens.run(screen_id, BOB);
  await screens.preview({ rules: 'limit 1', ...BOB });
  await expect(screens.preview({ rules: 'no_field < 1', ...BOB })).rejects.toMatchObject({ status: 422 });
  await screens.explain(screen_id, run.rows[0]!.ticker, BOB);
  await expect.poll(async () => (await recorded()).length).toBe(3);

  const [preview, ofBob, ofAlice] = await recorded();
  const { as_of, matched, dataset_version } = run;
  const whole = { kind: 'screen', screen_id, version: 1, rules_text: rules, as_of, matched, dataset_version };
  expect(ofAlice).toEqual({
    ...whole,
    event_id: expect.stringMatching(/^ue_[0-9a-f]+$/) as string,
    ts: expect.stringMatching(/\+07:00$/) as string,
    end_user: 'alice',
    duration_seconds: expect.any(Number) as number,
    request_id: expect.stringMatching(/^req_/) as string,
  });
  expect(ofBob).toMatchObject({ ...whole, end_user: 'bob' });
  expect(preview).toMatchObject({ kind: 'preview', screen_id: null, version: null, rules_text: 'limit 1' });

  expect((await recorded({ end_user: 'bob', kind: 'screen' })).map(({ end_user }) => end_user)).toEqual([
    'bob',
  ]);
  expect(await recorded({ screen_id })).toHaveLength(2);
  expect(await recorded({ until: '2020-01-01' })).toEqual([]);
  const pages = [];
  for await (const { event_id } of usage.screenRuns({ limit: 1 })) pages.push(event_id);
  expect(pages).toEqual([preview, ofBob, ofAlice].map((one) => one!.event_id));

  const summary = await usage.screenRunSummary({ group_by: 'end_user' });
  expect(summary).toMatchObject({
    group_by: 'end_user',
    total_runs: 3,
    rows: [
      { key: 'bob', runs: 2 },
      { key: 'alice', runs: 1 },
    ],
  });
  expect((await usage.screenRunSummary()).rows.map(({ key, runs }) => [key, runs])).toEqual([
    [screen_id, 2],
    ['', 1],
  ]);
  // What the contract says of usage is of models alone.
  expect((await usage.events().first()).events).toEqual([]);
  expect((await usage.summary()).total_runs).toBe(0);
  expect(await usage.endUsers()).toEqual([]);
});

test('a screen by model is counted once, as the model run that it is', async () => {
  const other = await newTenant();
  const { screens, usage, jobs } = other.client;
  const { screen_id } = await screens.create({ name: 'd', model_id: 'confluence_filter' });
  const { job_id } = await screens.submit(screen_id);
  await jobs.wait(job_id);
  await expect
    .poll(async () => (await usage.events().first()).events)
    .toMatchObject([{ job_id, status: 'succeeded' }]);
  expect((await usage.screenRuns().first()).runs).toEqual([]);
});

test('the operator sees the runs of every key, with the key', async () => {
  await tenant.client.screens.preview({ rules: 'limit 1', ...ALICE });
  const operator = await newTenant('usage:admin');
  const { admin } = operator.client;
  const ofKey = { api_key_id: tenant.keyId };
  await expect.poll(async () => (await admin.screenRuns(ofKey).first()).runs.length).toBeGreaterThan(0);
  const { runs } = await admin.screenRuns(ofKey).first();
  expect(new Set(runs.map(({ api_key_id }) => api_key_id))).toEqual(new Set([tenant.keyId]));
  const { rows } = await admin.screenRunSummary({ ...ofKey, group_by: 'api_key' });
  expect(rows.map(({ key }) => key)).toEqual([tenant.keyId]);
});
