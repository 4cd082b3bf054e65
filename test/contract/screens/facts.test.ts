import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant, testOfOwnFleet } from '#support/fleets/contract.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const tenant = ownTenant();
const ALICE = { endUser: 'alice' };
const test = testOfOwnFleet('facts that the operator imports');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-facts-'));
});
afterAll(async () => {
  for (const name of ['test_float', 'test_opinion']) await facts('remove', name);
  await rm(folder, { recursive: true, force: true });
});

const facts = (...words: string[]) => saring(inject('stateDir'), 'facts', ...words);

async function importFacts(csv: string, fields?: object[], ...options: string[]) {
  const [rows, declarations] = [path.join(folder, 'facts.csv'), path.join(folder, 'fields.json')];
  await writeFile(rows, `ticker,field,value,known_since\n${csv}\n`);
  await writeFile(declarations, JSON.stringify(fields ?? []));
  return facts('import', rows, ...(fields ? ['--fields', declarations] : []), ...options);
}

/** The first evaluation computes fields, for which a busy machine may need longer than the gateway waits. */
async function preview(rules: unknown, request: object = {}): Promise<Schemas['ScreenPreview']> {
  let body = {} as Schemas['ScreenPreview'];
  const isThere = async () => {
    const response = await tenant.rest.post<Schemas['ScreenPreview']>(
      '/api/v1/screens/preview',
      { rules, ...request },
      ALICE,
    );
    body = response.body;
    return response.status;
  };
  await expect.poll(isThere, { interval: 500 }).toBe(200);
  return body;
}

const DECLARATION = {
  source: 'A test',
  null_means: { id: 'Belum ada.', en: 'None yet.' },
};
const FIELDS = [
  { ...DECLARATION, name: 'test_float', unit: 'percent', label: { id: 'Saham publik', en: 'Free float' } },
  { ...DECLARATION, name: 'test_opinion', type: 'text', label: { id: 'Opini', en: 'Opinion' } },
];

test('an imported fact is a field like any other, until it is removed', async () => {
  const { as_of, rows: liquid } = await preview('is_liquid sort by ticker limit 3');
  const [first, second, third] = liquid.map(({ ticker }) => ticker) as [string, string, string];
  const rows = [
    `${first},test_float,20,2020-01-02`,
    `${second},test_float,60,2020-01-02`,
    `${third},test_float,40,${as_of}`,
    `${second},test_opinion,unqualified,2020-01-02`,
  ];
  const imported = await importFacts(rows.join('\n'), FIELDS);
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.stdout).toContain('4 of 4 rows are new');
  expect((await facts('list')).stdout).toMatch(/test_float +number +percent +3 +3/);

  const { body } = await tenant.rest.get<{ fields: { name: string }[] }>('/api/v1/fields');
  expect(body.fields.find(({ name }) => name === 'test_float')).toMatchObject({
    group: 'facts',
    type: 'number',
    unit: 'percent',
    label: 'Saham publik',
    source: 'A test',
    null_means: 'Belum ada.',
    since: expect.any(String) as string,
  });
  const result = await preview('rank(test_float) <= 2 sort by test_float desc', {
    columns: ['test_opinion'],
  });
  expect(result.rows.map(({ ticker, values }) => [ticker, values])).toEqual([
    [second, { 'rank(test_float)': 1, test_float: 60, test_opinion: 'unqualified' }],
    [third, { 'rank(test_float)': 2, test_float: 40, test_opinion: null }],
  ]);
  const asObject = { where: { field: 'test_float', between: [30, 100] } };
  expect((await preview(asObject)).rows.map(({ ticker }) => ticker)).toEqual([second, third].toSorted());
  const before = new Date(Date.parse(as_of) - DAY_MS).toISOString().slice(0, 10);
  expect((await preview(asObject, { as_of: before })).rows.map(({ ticker }) => ticker)).toEqual([second]);

  const screen = await tenant.client.screens.create({ name: 'float', rules: 'test_float > 50', ...ALICE });
  const held = () => tenant.client.screens.get(screen.screen_id, ALICE);
  await expect.poll(async () => (await held()).members).toBe(1);
  const explained = await tenant.client.screens.explain(screen.screen_id, first, ALICE);
  expect(explained.rules).toMatchObject([{ passed: false, value: 20, threshold: 50, margin: -30 }]);

  // What was recorded of the day stays as it was, although the values are others now.
  expect(await importFacts(`${first},test_float,70,2020-01-02`, undefined, '--replace')).toMatchObject({
    code: 0,
  });
  const run = () =>
    tenant.rest.post<Schemas['ScreenRun']>(`/api/v1/screens/${screen.screen_id}/run`, undefined, ALICE);
  const members = async () => (await run()).body.rows?.map(({ ticker }) => ticker);
  await expect.poll(members).toEqual([first]);
  expect(await held()).toMatchObject({ members: 1, failure: null });
  const changes = `/api/v1/screens/${screen.screen_id}/changes`;
  expect((await tenant.rest.get<{ changes: object[] }>(changes, ALICE)).body.changes).toEqual([]);

  expect((await facts('remove', 'test_float')).stdout).toContain('removed test_float with 1 values');
  const failed = async () => (await run()).status;
  await expect.poll(failed).toBe(422);
  expect((await run()).body).toMatchObject({
    error: { code: 'invalid_request', message: expect.stringContaining('no field `test_float`') as string },
  });
  expect(await held()).toMatchObject({ rules_text: 'test_float > 50' });
  const again = tenant.client.screens.create({ name: 'again', rules: 'test_float > 50', ...ALICE });
  await expect(again).rejects.toMatchObject({ status: 422, code: 'invalid_request' });
});
