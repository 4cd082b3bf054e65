import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { REPOSITORY } from '#support/repository.ts';
import { type JobBody, submitRunOf } from '#support/rest/jobs.ts';
import { Rest } from '#support/rest/rest.ts';

const tenant = ownTenant();

const { body: flows } = await new Rest(inject('baseUrl'), inject('demoKey')).get<{
  inflow: { ticker: string }[];
}>('/api/v1/data/flows?min_abs_val=0&min_price=50&min_daily_val=100000000&top_n=3');
const tickers = flows.inflow.map(({ ticker }) => ticker);
const EXAMPLES = MODELS.map(({ id, examples }) => [id, examples(tickers)[0]!.params] as const);

const runOf = (model: string, params: object) => submitRunOf(tenant.rest, model, params, '?wait=60');
const resultOf = (job: JobBody) => job.result as { as_of: string; pick_count: number };

test.each(EXAMPLES)('the params of a %s job can be resubmitted as they are', async (model, params) => {
  const first = await runOf(model, params);
  const again = await runOf(model, first['params'] as object);
  expect(again).toMatchObject({ status: 'succeeded', params: first['params'] });
  expect(resultOf(again)).toMatchObject({
    as_of: resultOf(first).as_of,
    pick_count: resultOf(first).pick_count,
  });
});

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');
/** Runs in the documentation: those with curl, and those with the client. */
const DOCUMENTED = [
  ...read('README.md').matchAll(
    /-X POST .*?(?:-d '\{"params": (\{.*?\})\}'.*?)?\$BASE\/api\/v1\/models\/(\w+)\/runs/gs,
  ),
].map(([, params = '{}', model]) => [model!, JSON.parse(params) as object] as const);
const OF_CLIENTS = [
  'clients/typescript/README.md',
  'clients/typescript/example.ts',
  'clients/python/README.md',
].flatMap((file) =>
  [...read(file).matchAll(/run(?:AndWait|_and_wait)\(['"](\w+)['"], (?:\{ )?view[:=] ?['"]compact['"]/g)].map(
    ([, model]) => [model!, {}] as const,
  ),
);

test('every documented run is tested', () => {
  expect([DOCUMENTED.length, OF_CLIENTS.length]).toEqual([2, 6]);
});

test.each([...DOCUMENTED, ...OF_CLIENTS])('the documented run of %s has picks', async (model, params) => {
  expect(resultOf(await runOf(model, params)).pick_count).toBeGreaterThan(0);
});
