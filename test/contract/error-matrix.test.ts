import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CONTRACT_CODES, CONTRACT_STATUSES } from '#support/error-matrix/contract-codes.ts';
import { operationsOf } from '#support/declared-api/openapi-document.ts';
import { envelopeFaults } from '#support/error-matrix/envelope-faults.ts';
import { CAUSE } from '#support/error-matrix/faulty-services.ts';
import { setMatrixStage, type MatrixStage } from '#support/error-matrix/matrix-stage.ts';
import {
  PROVOCATIONS,
  callsServices,
  inTrouble,
  type Attempt,
  type Target,
} from '#support/error-matrix/provocations.ts';
import { HANGS_AFTER_MS } from '#support/hangs.ts';
import { send, validRequest } from '#support/declared-api/request-parts.ts';
import type { Trouble } from '#support/error-matrix/troubled-gateways.ts';

const baseUrl = inject('baseUrl');
const operations = await operationsOf(baseUrl);
type Operation = (typeof operations)[number];

let stage: MatrixStage;
beforeAll(async () => {
  stage = await setMatrixStage(inject('stateDir'), baseUrl);
});
afterAll(() => stage?.stop());

function targetOf(operation: Operation): Target {
  const { everyScope, operator } = stage.keys;
  const key = operation.isOperators ? operator : everyScope;
  const good = operation.method === 'delete' ? stage.goodToDelete : stage.good;
  return { operation, valid: validRequest(operation, key, good), stage };
}

async function responseTo({ operation }: Target, { baseUrl: elsewhere, first, parts }: Attempt) {
  if (first) await send(elsewhere ?? baseUrl, operation, first);
  return send(elsewhere ?? baseUrl, operation, parts);
}

describe('the document', () => {
  test.each(CONTRACT_CODES)('declares every code of the contract for $endpoint', ({ endpoint, codes }) => {
    const operation = operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === endpoint);
    const wanted = codes.map((code) => ({ status: CONTRACT_STATUSES[code]!, code }));
    expect(operation?.errors).toEqual(expect.arrayContaining(wanted));
  });

  test('declares every contract code, each under its contract status', () => {
    const declared = operations.flatMap(({ errors }) => errors);
    const statuses = Object.fromEntries(declared.map(({ status, code }) => [code, status]));
    expect(statuses).toMatchObject(CONTRACT_STATUSES);
  });
});

/** The run in the request has not trained a model, so this operation answers 404. */
const hasNoResponse = ({ operationId }: Operation) => operationId === 'getJobModel';

describe.each(operations)('$method $path', (operation) => {
  test('accepts the valid request that the other tests vary', async () => {
    const response = await send(baseUrl, operation, targetOf(operation).valid);
    expect(response.status, response.text.slice(0, 300)).toBeOneOf(
      hasNoResponse(operation) ? [404] : [200, 201, 202],
    );
  });

  test.each(operation.errors)('$status $code', async ({ status, code }) => {
    const target = targetOf(operation);
    const attempts = PROVOCATIONS[code]?.(target) ?? [];
    expect(attempts.length, 'ways to provoke it').toBeGreaterThan(0);
    for (const attempt of attempts) {
      const response = await responseTo(target, attempt);
      expect(envelopeFaults(response, { status, code, place: attempt.place }), attempt.how).toEqual([]);
      expect(response.text, attempt.how).toContain(attempt.says ?? '');
      expect(response.text, attempt.how).not.toContain(CAUSE);
    }
  });

  test('405 method_not_allowed, with the allowed methods', async () => {
    const { valid } = targetOf(operation);
    const allowed = operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
    for (const method of ['DELETE', 'PUT', 'PATCH'].filter(
      (one) => !allowed.includes(one.toLowerCase() as never),
    )) {
      const response = await send(baseUrl, { ...operation, method }, valid);
      expect(envelopeFaults(response, { status: 405, code: 'method_not_allowed' })).toEqual([]);
      expect(response.headers.get('allow')?.split(', ')).toContain(operation.method.toUpperCase());
    }
  });
});

describe('when a dependency accepts connections but never answers', () => {
  const isKeyed = ({ needsKey }: Operation) => needsKey;
  /** The code of the service that is called first. A screen or a simulation comes to a model only after the screens service has answered. */
  const ownUnavailableCode = ({ errors, path }: Operation) =>
    (/^\/api\/v1\/(screens|simulations)/.test(path)
      ? undefined
      : errors.find(({ status, code }) => status === 503 && code !== 'data_unavailable')?.code) ??
    'data_unavailable';

  test.each<[Trouble, Operation[], (operation: Operation) => string]>([
    ['keys silent', operations.filter(isKeyed), () => 'data_unavailable'],
    ['services silent', operations.filter(isKeyed).filter(callsServices), ownUnavailableCode],
  ])('%s: every endpoint answers its 503 in time', async (trouble, concerned, codeOf) => {
    const outcomes = concerned.map(async (operation) => {
      const target = targetOf(operation);
      const begunAtMs = performance.now();
      const response = await responseTo(target, inTrouble(target, trouble));
      expect(performance.now() - begunAtMs, operation.operationId).toBeLessThan(HANGS_AFTER_MS);
      return envelopeFaults(response, { status: 503, code: codeOf(operation) });
    });
    expect((await Promise.all(outcomes)).flat()).toEqual([]);
  });
});
