import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { MODELS } from '#models/registry.ts';
import { ResponseCheck } from '#support/fuzzing/response-check.ts';
import { FuzzRequest } from '#support/fuzzing/fuzz-request.ts';
import { FuzzedApi } from '#support/fuzzing/fuzzed-api.ts';
import { type WireResponse, sendAll, WHILE_SENDING } from '#support/fuzzing/fuzz-client.ts';
import {
  type RunnableModel,
  emptyRun,
  runsAtBounds,
  runsWithMistakes,
} from '#support/fuzzing/run-requests.ts';
import { operationsOf } from '#support/declared-api/openapi-document.ts';
import { requestsEach } from '#support/fuzzing/fuzz-requests.ts';

const IDS = MODELS.map(({ id }) => id);

const baseUrl = inject('baseUrl');
const [submit] = await operationsOf(baseUrl, ({ path }) => path.endsWith('/runs'));

let api: FuzzedApi;
beforeAll(async () => {
  api = await FuzzedApi.of(inject('stateDir'), baseUrl);
});
afterAll(() => api?.client.close());

test('the catalogue has exactly the registered models', () => {
  expect(api.models.map(({ id }) => id)).toEqual(IDS);
});

describe.concurrent.each(IDS)('parameters of %s', (modelId) => {
  const check = new ResponseCheck(submit!);
  const model = (): RunnableModel => api.models.find(({ id }) => id === modelId)!;

  test(
    'every bound and option is accepted, and the value just beyond is refused',
    WHILE_SENDING,
    async () => {
      for (const request of runsAtBounds(submit!, model())) {
        const response = await api.client.send(request);
        const { refusal } = request;
        const faults = refusal
          ? [...check.faults(response), ...check.faultsOfRefusal(response, refusal)]
          : await api.faultsOfValid(check, response, request);
        expect(faults, request.curl(baseUrl)).toEqual([]);
        if (!refusal) expect(response.status, response.text).toBe(202);
      }
    },
  );

  test('every wrong parameter is refused by name', WHILE_SENDING, async () => {
    const faultsOf = (response: WireResponse, { refusal }: FuzzRequest) => [
      ...check.faults(response),
      ...check.faultsOfRefusal(response, refusal!),
    ];
    const requests = runsWithMistakes(submit!, model(), api.values);
    await sendAll(api.client, requests, faultsOf, requestsEach(submit!, 'invalid'));
  });
});

const CROWD = 3_000;
const named = (name: (i: number) => string) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: CROWD }, (_, i) => [name(i), 1])));

test.each([
  ['unknown fields', named((i) => `a${i}`)],
  ['unknown parameters', `{"params":${named((i) => `a${i}`)}}`],
  ['unknown parameters that no header could carry', `{"params":${named((i) => `\ud83d\ude00\u00e9${i}`)}}`],
  ['a parameter with an endless name', `{"params":{"${'x'.repeat(100_000)}":1}}`],
  ['an endless value', `{"params":{"analysis_date":"${'x'.repeat(100_000)}"}}`],
  [
    'wrong positions',
    `{"params":{"positions":[${Array(100).fill('{"ticker":"?","pnl_input":"?"}').join(',')}]}}`,
  ],
])('any number of %s is refused with a short answer', async (_what, body) => {
  const check = new ResponseCheck(submit!);
  const request = new FuzzRequest(submit!, { ...emptyRun(), body });
  const response = await api.client.send(request);
  const refusal = { status: 422, code: 'invalid_request', places: [['body']] };
  expect([...check.faults(response), ...check.faultsOfRefusal(response, refusal)]).toEqual([]);
  expect(response.bytes.length).toBeLessThan(8_000);
});
