import { spawn } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { DeclaredResults } from '#support/declared-results.ts';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { REPOSITORY } from '#support/repository.ts';
import type { JobBody } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { buildCopy, copySources } from '#support/fleets/source-copy.ts';

const ID = 'most_traded_v1';
const FOLDER = 'libs/models/most-traded';
const REGISTRY = 'libs/models/registry.ts';
const START_MS = 120_000;
/** A gateway answers 503 when a service is silent for this long. On a busy machine, the default of 5 s is reached. */
const PATIENCE_MS = '30000';
/** Tests that cover every model. */
const TESTS_OF_EVERY_MODEL = ['libs/models/load-screens.test.ts', 'services/models/catalogue'];

/** A copy of the sources with a seventh model. Only its folder and its line in the registry were added. */
let sources: string;
let fleet: Fleet;
let rest: Rest;

beforeAll(async () => {
  sources = await copySources();
  await cp(path.join(REPOSITORY, 'test/integration/runs/seventh-model'), path.join(sources, FOLDER), {
    recursive: true,
  });
  await register();
  await buildCopy(sources);
  fleet = await Fleet.start({ ...SMALL_MARKET, DOWNSTREAM_TIMEOUT_MS: PATIENCE_MS }, sources);
  const { base_url } = await fleet.file();
  const { key } = await issueKey(fleet.stateDir, 'models:read,models:run,data:read');
  rest = new Rest(base_url, key);
}, START_MS);

afterAll(async () => {
  await fleet?.stop();
  await rm(sources, { recursive: true, force: true });
});

async function register(): Promise<void> {
  const file = path.join(sources, REGISTRY);
  const text = await readFile(file, 'utf8');
  const registered = text
    .replace(/^(?=import type)/m, "import { mostTraded } from './most-traded/model.ts';\n")
    .replace(/^\];$/m, '  mostTraded,\n];');
  await writeFile(file, registered);
}

test('a seventh model is listed and described without any other change', async () => {
  const listed = await rest.get<{ models: { id: string }[] }>('/api/v1/models');
  expect(listed.status, JSON.stringify(listed.body).slice(0, 500)).toBe(200);
  const { body } = listed;
  expect(body.models.map(({ id }) => id).at(-1)).toBe(ID);
  expect(body.models).toHaveLength(MODELS.length + 1);
  const { body: described } = await rest.get(`/api/v1/models/${ID}/params`);
  expect(described).toMatchObject({
    model_id: ID,
    params: { analysis_date: { type: 'date' }, max_picks: { type: 'integer', default: 5, min: 1, max: 20 } },
  });
});

test('a seventh model runs over REST, validates its parameters and matches its declared result', async () => {
  const submit = (params: object) =>
    rest.post<JobBody>(`/api/v1/models/${ID}/runs?wait=60`, { params }, { endUser: 'alice' });
  const ended = await submit({ max_picks: 3 });
  expect(ended).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  const { body: job } = ended;
  const declared = await DeclaredResults.of(rest);
  expect(declared.faults(job.result!)).toEqual([]);
  expect(declared.freeForm(job.result!)).toEqual([]);
  const rows = job.result!['df_result'] as { Value: number }[];
  expect(rows).toHaveLength(3);
  expect(rows.toSorted((a, b) => b.Value - a.Value)).toEqual(rows);
  expect(await submit({ max_picks: 21 })).toMatchObject({ status: 422 });
});

test(
  'tests of every model include the seventh one',
  async () => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--reporter', 'verbose'];
    const run = spawn(process.execPath, [...args, ...TESTS_OF_EVERY_MODEL], { cwd: sources });
    let output = '';
    for (const stream of [run.stdout, run.stderr])
      stream.on('data', (text: Buffer) => (output += text.toString()));
    const code = await new Promise((resolve) => run.once('exit', resolve));
    expect(code, output).toBe(0);
    expect(output).toContain(ID);
  },
  START_MS,
);
