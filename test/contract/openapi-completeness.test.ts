import { describe, expect, inject, test } from 'vitest';
import { ENDPOINTS } from '#support/fuzzing/contract-endpoints.ts';
import { OPEN_BY_CONTRACT, openMembers } from '../support/fuzzing/contract-endpoints.ts';
import { documentOf, operationsOf } from '#support/declared-api/openapi-document.ts';

const document = await documentOf(inject('baseUrl'));
const operations = await operationsOf(inject('baseUrl'));

test('the document describes every endpoint of the contract’s tables, and those this service adds', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(ENDPOINTS.toSorted());
});

test('every object names its members, but for those that the contract leaves open', () => {
  expect(openMembers(document)).toEqual(Object.keys(OPEN_BY_CONTRACT).toSorted());
});

describe.each(operations)('$method $path', ({ answers, body, method }) => {
  test('says of what form each of its answers is', () => {
    for (const [status, { content, schema, description }] of Object.entries(answers)) {
      expect(description, status).not.toBe('');
      expect(content === undefined, status).toBe(['204', '304'].includes(status));
      expect(schema === undefined, status).toBe(content === undefined || content === 'a file');
    }
    expect(Object.keys(answers).map(Number)).toEqual(expect.arrayContaining([422, 500]));
  });

  test('takes nothing in its body that it does not name', () => {
    if (method === 'get') expect(body).toBeUndefined();
    else if (body) expect(body).toMatchObject({ type: 'object', additionalProperties: false });
  });
});
