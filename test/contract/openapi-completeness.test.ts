import { describe, expect, inject, test } from 'vitest';
import {
  ENDPOINTS,
  OPEN_BY_CONTRACT,
  openMembers,
  REQUIRED_ENDPOINTS,
} from '#support/fuzzing/contract-endpoints.ts';
import { documentOf, operationsOf } from '#support/declared-api/openapi-document.ts';

const document = await documentOf(inject('baseUrl'));
const operations = await operationsOf(inject('baseUrl'));

test('the document describes exactly the declared endpoints, among them all of the contract and of releases', () => {
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(ENDPOINTS.toSorted());
  expect(ENDPOINTS).toEqual(expect.arrayContaining(REQUIRED_ENDPOINTS));
});

test('every object lists its properties, except those that the contract leaves open', () => {
  expect(openMembers(document)).toEqual(Object.keys(OPEN_BY_CONTRACT).toSorted());
});

describe.each(operations)('$method $path', ({ answers: responses, body, method }) => {
  test('declares the schema and description of each answer', () => {
    for (const [status, { content, schema, description }] of Object.entries(responses)) {
      expect(description, status).not.toBe('');
      expect(content === undefined, status).toBe(['204', '304'].includes(status));
      expect(schema === undefined, status).toBe(content === undefined || content === 'a file');
    }
    expect(Object.keys(responses).map(Number)).toEqual(expect.arrayContaining([422, 500]));
  });

  test('accepts no undeclared property in its body', () => {
    if (method === 'get') expect(body).toBeUndefined();
    else if (body) expect(body).toMatchObject({ type: 'object', additionalProperties: false });
  });
});
