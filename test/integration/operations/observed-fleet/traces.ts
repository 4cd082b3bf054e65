import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HARD_LIFETIME_MS } from '#gateway/auth/key-cache.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { SHARED_PROCESS } from '#local/configuration/service-table.ts';
import { LIGHT_SERVICES } from '#services/service-table.ts';
import { clientOf } from '#support/processes/service-process.ts';
import { observed } from './fleet.ts';

const MODEL = 'model_f_combined';

/** Submits a run and waits for its result. Returns the id of the request. */
async function run(traceparent: string): Promise<string> {
  const { base_url, demo_key } = await observed.fleet.file();
  const response = await fetch(`${base_url}/api/v1/models/${MODEL}/runs?wait=30`, {
    method: 'POST',
    headers: {
      'X-API-Key': demo_key,
      'X-End-User': 'operator',
      'Content-Type': 'application/json',
      traceparent,
    },
    body: '{}',
  });
  expect(response.status).toBe(200);
  return response.headers.get('X-Request-ID')!;
}

/** What a service has logged. Light services share a file. */
async function logOf(name: string): Promise<string> {
  const isLight = LIGHT_SERVICES.some((service) => service === name);
  const file = path.join(observed.fleet.stateDir, 'logs', `${isLight ? SHARED_PROCESS : name}.log`);
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => !isLight || line.includes(`"service":"${name}"`)).join('\n');
}

test('one trace of a run covers REST, gRPC, queue, stages, result and ledger row', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await run(`00-${traceId}-00f067aa0ba902b7-01`);
  const spans = () => observed.receiver.spans.filter((span) => span.traceId === traceId);
  const named = () => spans().map(({ service, name }) => `${service}: ${name}`);
  // Each process sends its spans after a delay.
  await expect
    .poll(named)
    .toEqual(
      expect.arrayContaining([
        'saring-gateway: POST /api/v1/models/{model_id}/runs',
        'saring-models: saring.models.v1.RunsService/SubmitRun',
        'saring-model-worker: queue wait',
        `saring-model-worker: run ${MODEL}`,
        'saring-model-worker: dataset',
        'saring-model-worker: learning',
        'saring-model-worker: scoring',
        'saring-model-worker: selection',
        'saring-model-worker: result',
        'saring-models: end of the run',
        'saring-usage: ledger row',
      ]),
    );
  // The parent of each span is another span of the trace, or the span that the client named.
  const ids = new Set([...spans().map(({ spanId }) => spanId), '00f067aa0ba902b7']);
  expect(spans().filter(({ parentSpanId }) => !ids.has(parentSpanId))).toEqual([]);
  expect(spans().filter(({ fromMs, toMs }) => toMs < fromMs)).toEqual([]);
});

test('a request whose client declines tracing has no spans', async () => {
  const traceId = '11111111111111111111111111111111';
  await run(`00-${traceId}-00f067aa0ba902b7-00`);
  expect(observed.receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
});

test('one request id finds a run in the log of every process involved', async () => {
  // Let the gateway's cache entry of the key expire, so that this request calls the keys service.
  await sleep(HARD_LIFETIME_MS);
  const id = await run('00-22222222222222222222222222222222-00f067aa0ba902b7-01');
  for (const name of ['gateway', 'keys', 'models', 'usage'])
    await expect.poll(() => logOf(name)).toContain(id);
  await expect.poll(() => logOf('model-worker-1')).toContain(id);
});

test('a direct gRPC call without an id gets one, and its log line has it', async () => {
  const { addresses } = await observed.fleet.file();
  const client = clientOf(CatalogueServiceService, addresses.models);
  const before = (await logOf('models')).length;
  await client.listModels({}, { requestId: '' });
  client.close();
  await expect
    .poll(async () => (await logOf('models')).slice(before))
    .toMatch(
      /"request_id":"req_[0-9a-f]{24}","method":"\/saring.models.v1.CatalogueService\/ListModels".*"msg":"call"/,
    );
});
