import { beforeAll, expect, test } from 'vitest';
import { newAjv } from '#platform/wire/field-errors.ts';
import { operationsOf, type Operation } from '#support/declared-api/openapi-document.ts';
import { closedSchema } from '#support/declared-api/json-schema.ts';
import { isJson } from '../declarations/route.ts';
import { routes } from '../routes/index.ts';
import { testGateway } from '../testing/test-gateway.ts';
import { recordedAnswers } from './recorded-answers.ts';

const own = testGateway();
const recorded = recordedAnswers();
let declared: Map<string, Operation>;
let document: {
  paths: Record<string, { get: { responses: Record<string, { content: Record<string, Content> }> } }>;
};
interface Content {
  examples: { recorded: { summary: string; value: { dataset_version: string } } };
}
// All at once: a busy machine takes longer for the tests than the gateway keeps an idle connection open.
beforeAll(async () => {
  document = (await (await fetch(`${own.gateway.baseUrl}/api/openapi.json`)).json()) as typeof document;
  const operations = await operationsOf(own.gateway.baseUrl);
  declared = new Map(operations.map((operation) => [operation.operationId, operation]));
});

const AGAIN = 'record it again: make examples';

test.each(Object.entries(recorded))(
  'the recorded answer of %s has exactly the members that are declared',
  (operationId, answer) => {
    const { schema } = declared.get(operationId)?.answers[answer!.status] ?? {};
    expect(schema, `nothing has this answer; ${AGAIN}`).toBeDefined();
    const ajv = newAjv();
    expect(ajv.validate(closedSchema(schema!), answer!.body), `${ajv.errorsText()}; ${AGAIN}`).toBe(true);
  },
);

test('every endpoint that is read as JSON has a recorded answer', () => {
  const read = routes.filter((route) => route.method === 'get' && isJson(route));
  const missing = read.filter(({ operationId }) => recorded[operationId] === undefined);
  expect(
    missing.map(({ operationId }) => operationId),
    AGAIN,
  ).toEqual([]);
});

test('recorded answers hold no secret, no path of a machine and no other ids than those of examples', () => {
  const text = JSON.stringify(recorded);
  expect(text).not.toMatch(/"\/(?!api\/)\w+\/|127\.0\.0\.1|localhost/);
  for (const [secret] of text.matchAll(/whsec_[^"]+|sar_[^"]+/g))
    expect(['whsec_dGhlIHNlY3JldCBvZiBhbiBleGFtcGxlIGluIHRoZSBkb2N1bWVudA==', 'sar_5f0c']).toContain(secret);
  for (const [, hex] of text.matchAll(/"[a-z]{2,4}_([0-9a-f]{24,32})"/g))
    expect(hex).toMatch(/^5f0c6f1e9a3b4d2c8e7f6a/);
});

test('what is shown is labelled as generated, and names a dataset that says so', () => {
  const { recorded: shown } =
    document.paths['/api/v1/data/market-overview']!.get.responses['200']!.content['application/json']!
      .examples;
  expect(shown.summary).toContain('generated market');
  expect(shown.value.dataset_version).toMatch(/^synthetic-/);
});
