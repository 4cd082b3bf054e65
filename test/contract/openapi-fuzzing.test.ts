import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { AnswerCheck } from '#support/fuzzing/answer-check.ts';
import {
  boundRequests,
  requestsWithMistakes,
  requestsWithOneMistake,
  validRequests,
  requestsEach,
} from '#support/fuzzing/fuzz-requests.ts';
import { fieldDamages, soleDamages } from '#support/fuzzing/damages.ts';
import type { FuzzRequest } from '#support/fuzzing/fuzz-request.ts';
import { FuzzedApi } from '#support/fuzzing/fuzzed-api.ts';
import { type WireAnswer, sendAll, WHILE_SENDING } from '#support/fuzzing/fuzz-client.ts';
import { operationsOf } from '#support/declared-api/openapi-document.ts';

const baseUrl = inject('baseUrl');
const operations = await operationsOf(baseUrl);

let api: FuzzedApi;
beforeAll(async () => {
  api = await FuzzedApi.of(inject('stateDir'), baseUrl);
});
afterAll(() => api?.client.close());

describe.concurrent.each(operations)('$method $path', (operation) => {
  const check = new AnswerCheck(operation);

  test(
    'takes every bound and every word of an input, and refuses what is one beyond',
    WHILE_SENDING,
    async () => {
      for (const request of boundRequests(operation, await api.foundBy(operation))) {
        const answer = await api.client.send(request);
        const { refusal } = request;
        const faults = refusal
          ? [...check.faults(answer), ...check.faultsOfRefusal(answer, refusal)]
          : await api.faultsOfValid(check, answer, request);
        expect(faults, request.curl(baseUrl)).toEqual([]);
      }
    },
  );

  test('answers every valid request as it is declared', WHILE_SENDING, async () => {
    const statuses = new Set<number>();
    const requests = validRequests(operation, api.draftsOf(operation));
    const faultsOf = (answer: WireAnswer, request: FuzzRequest) => {
      statuses.add(answer.status);
      return api.faultsOfValid(check, answer, request);
    };
    await sendAll(api.client, requests, faultsOf, requestsEach(operation, 'valid'));
    expect(Math.min(...statuses), 'lowest status of valid requests').toBeLessThan(300);
  });

  test('refuses every invalid request as it is declared, naming what is wrong', WHILE_SENDING, async () => {
    const drafts = api.draftsOf(operation);
    const alone = soleDamages(operation);
    const kinds = [
      requestsWithMistakes(operation, drafts, fieldDamages(operation)),
      ...(alone.length > 0 ? [requestsWithOneMistake(operation, drafts, alone)] : []),
    ];
    for (const requests of kinds) {
      await sendAll(
        api.client,
        requests,
        (answer, { refusal }) => [...check.faults(answer), ...check.faultsOfRefusal(answer, refusal!)],
        Math.ceil(requestsEach(operation, 'invalid') / kinds.length),
      );
    }
  });
});
