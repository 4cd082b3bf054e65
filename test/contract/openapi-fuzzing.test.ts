import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ResponseCheck } from '#support/fuzzing/response-check.ts';
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
import { type WireResponse, sendAll, WHILE_SENDING } from '#support/fuzzing/fuzz-client.ts';
import { operationsOf } from '#support/declared-api/openapi-document.ts';

const baseUrl = inject('baseUrl');
const operations = await operationsOf(baseUrl);

let api: FuzzedApi;
beforeAll(async () => {
  api = await FuzzedApi.of(inject('stateDir'), baseUrl);
});
afterAll(() => api?.client.close());

describe.concurrent.each(operations)('$method $path', (operation) => {
  const check = new ResponseCheck(operation);

  test(
    'takes every bound and every word of an input, and refuses what is one beyond',
    WHILE_SENDING,
    async () => {
      for (const request of boundRequests(operation, await api.foundBy(operation))) {
        const response = await api.client.send(request);
        const { refusal } = request;
        const faults = refusal
          ? [...check.faults(response), ...check.faultsOfRefusal(response, refusal)]
          : await api.faultsOfValid(check, response, request);
        expect(faults, request.curl(baseUrl)).toEqual([]);
      }
    },
  );

  test('answers every valid request as it is declared', WHILE_SENDING, async () => {
    const statuses = new Set<number>();
    const requests = validRequests(operation, api.draftsOf(operation));
    const faultsOf = (response: WireResponse, request: FuzzRequest) => {
      statuses.add(response.status);
      return api.faultsOfValid(check, response, request);
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
        (response, { refusal }) => [...check.faults(response), ...check.faultsOfRefusal(response, refusal!)],
        Math.ceil(requestsEach(operation, 'invalid') / kinds.length),
      );
    }
  });
});
