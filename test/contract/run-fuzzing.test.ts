import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { AnswerCheck } from '#support/fuzzing/answer-check.ts';
import { FuzzedApi } from '#support/fuzzing/fuzzed-api.ts';
import type { RunnableModel } from '#support/fuzzing/model-parameters.ts';
import { operationsOf } from '#support/fuzzing/openapi-document.ts';
import { runsAtBounds, runsWithMistakes } from '#support/fuzzing/run-requests.ts';
import { sendAll, WHILE_SENDING } from '#support/fuzzing/send-all.ts';

const MODELS = [
  ...['confluence_filter', 'gann_classic_v7', 'gross_alpha_v10'],
  ...['model_f_combined', 'recovery_v4', 'regime_adaptive_v6'],
];

const baseUrl = inject('baseUrl');
const [submit] = await operationsOf(baseUrl, ({ path }) => path.endsWith('/runs'));

let api: FuzzedApi;
beforeAll(async () => {
  api = await FuzzedApi.of(inject('stateDir'), baseUrl);
});
afterAll(() => api?.client.close());

test('the catalogue has the models of the contract and no other', () => {
  expect(api.models.map(({ id }) => id).toSorted()).toEqual(MODELS);
});

describe.concurrent.each(MODELS)('parameters of %s', (modelId) => {
  const check = new AnswerCheck(submit!);
  const model = (): RunnableModel => api.models.find(({ id }) => id === modelId)!;

  test('every bound and every option is taken, and what is one beyond refused', WHILE_SENDING, async () => {
    for (const request of runsAtBounds(submit!, model())) {
      const answer = await api.client.send(request);
      const { refusal } = request;
      const faults = refusal
        ? [...check.faults(answer), ...check.faultsOfRefusal(answer, refusal)]
        : await api.faultsOfValid(check, answer, request);
      expect(faults, request.curl(baseUrl)).toEqual([]);
      if (!refusal) expect(answer.status, answer.text).toBe(202);
    }
  });

  test('every wrong parameter is refused, and named', WHILE_SENDING, async () => {
    await sendAll(api.client, runsWithMistakes(submit!, model(), api.values), (answer, { refusal }) => [
      ...check.faults(answer),
      ...check.faultsOfRefusal(answer, refusal!),
    ]);
  });
});
