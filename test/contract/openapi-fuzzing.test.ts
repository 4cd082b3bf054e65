import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { AnswerCheck } from '#support/fuzzing/answer-check.ts';
import { boundRequests } from '#support/fuzzing/bound-requests.ts';
import { invalidRequests, validRequests } from '#support/fuzzing/fuzz-requests.ts';
import { GatewayClient } from '#support/fuzzing/gateway-client.ts';
import { freeFormObjects } from '#support/fuzzing/json-schema.ts';
import { marketUnderTest } from '#support/fuzzing/market-under-test.ts';
import type { MarketValues } from '#support/fuzzing/market-values.ts';
import { isMarketData, operationsOf } from '#support/fuzzing/openapi-document.ts';
import { sendAll, WHILE_SENDING } from '#support/fuzzing/send-all.ts';
import { validDrafts } from '#support/fuzzing/valid-requests.ts';
import { Rest } from '#support/rest.ts';
import { createKey } from '#support/saring-cli.ts';

const BUDGET_A_MINUTE = '1000000';

const baseUrl = inject('baseUrl');
const operations = await operationsOf(
  baseUrl,
  (operation) => isMarketData(operation) || operation.operationId === 'getJobModel',
);

let client: GatewayClient;
let market: MarketValues;
beforeAll(async () => {
  const { key } = await createKey(
    inject('stateDir'),
    'data:read,models:run',
    '--rate-limit',
    BUDGET_A_MINUTE,
  );
  client = new GatewayClient(baseUrl, key);
  market = await marketUnderTest(new Rest(baseUrl, key));
});
afterAll(() => client?.close());

test('the document describes every endpoint of the contract’s market-data table', () => {
  expect(
    operations
      .filter(isMarketData)
      .map(({ method, path }) => `${method} ${path.replace('/api/v1/data/', '')}`)
      .toSorted(),
  ).toEqual(
    [
      ...['get quotes', 'get stocks/{ticker}', 'post compare', 'get market-overview', 'get flows'],
      ...['get stocks/{ticker}/brokers', 'get stocks/{ticker}/brokers/window'],
      ...['get stocks/{ticker}/brokers/{broker_code}/timeline', 'get brokers/{broker_code}/stocks'],
      ...['get stocks/{ticker}/nego', 'get stocks/{ticker}/nego/brokers', 'get nego', 'get nego/window'],
      ...['get stocks/{ticker}/turning-point', 'post turning-points'],
    ].toSorted(),
  );
});

describe.concurrent.each(operations)('$method $path', (operation) => {
  const check = new AnswerCheck(operation);

  test('describes every member of its answer', () => {
    const { schema, isFile } = operation.answers[200]!;
    expect(schema ? freeFormObjects(schema) : []).toEqual([]);
    expect(schema !== undefined).toBe(!isFile);
  });

  test('takes every bound and every word of an input, and refuses what is one beyond', async () => {
    const [draft] = fc.sample(validDrafts(operation, market), { numRuns: 1, seed: 1 });
    for (const request of boundRequests(operation, draft!)) {
      const answer = await client.send(request);
      const { refusal } = request;
      const faults = refusal ? check.faultsOfRefusal(answer, refusal) : check.faultsOfSuccess(answer);
      expect([...check.faults(answer), ...faults], request.curl(baseUrl)).toEqual([]);
    }
  });

  test('answers every valid request as it is declared', WHILE_SENDING, async () => {
    const statuses = new Set<number>();
    await sendAll(client, validRequests(operation, market), (answer) => {
      statuses.add(answer.status);
      return [...check.faults(answer), ...check.faultsOfSuccess(answer)];
    });
    expect([...statuses], 'statuses of valid requests').toContain(200);
  });

  test('refuses every invalid request as it is declared, naming what is wrong', WHILE_SENDING, async () => {
    await sendAll(client, invalidRequests(operation, market), (answer, { refusal }) => [
      ...check.faults(answer),
      ...check.faultsOfRefusal(answer, refusal!),
    ]);
  });
});
