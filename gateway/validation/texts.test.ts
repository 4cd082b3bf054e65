import { beforeAll, expect, test } from 'vitest';
import { operationsOf, type Operation } from '#support/declared-api/openapi-document.ts';
import {
  send,
  validRequest,
  type GoodValues,
  type RequestParts,
} from '#support/declared-api/request-parts.ts';
import { alternatives, type JsonSchema } from '#support/declared-api/json-schema.ts';
import { OPERATOR_TOKEN } from '#support/processes/service-process.ts';
import { testGateway } from '../testing/test-gateway.ts';

const own = testGateway();
const IDS = 'job_id backfill_id screen_id watchlist_id webhook_id delivery_id session_id event_id'.split(' ');
const GOOD = {
  ...Object.fromEntries(IDS.map((name) => [name, 'id'])),
  day: '2024-06-28',
  end_user_id: 'user-42',
  ticker: 'BBCA',
  broker_code: 'AK',
  document_version: 'v1',
  version: 'synthetic-1',
} as GoodValues;
const NUL = 'a\0b';
const HALF_A_PAIR = 'a\ud83db';

let operations: Operation[];
beforeAll(async () => {
  operations = await operationsOf(own.gateway.baseUrl);
});

/** Values of a schema with this text in each place that can hold one, whatever its form. */
function withText(schema: JsonSchema, text: string): unknown[] {
  return alternatives(schema).flatMap((one) => {
    const types = [one.type ?? ['string', 'object']].flat();
    const members = Object.entries(one.properties ?? {});
    return [
      ...(types.includes('string') ? [text] : []),
      ...(one.items ? withText(one.items, text).map((item) => [item]) : []),
      ...members.flatMap(([name, part]) => withText(part, text).map((value) => ({ [name]: value }))),
      ...(types.includes('object') && members.length === 0 ? [{ x: [text] }, { [text]: 1 }] : []),
    ];
  });
}

/** The requests of an operation with such a text in one place, and how each must be answered. */
function* requestsOf(operation: Operation): Generator<[RequestParts, refusal: string, loc?: unknown[]]> {
  const valid = validRequest(operation, operation.isOperators ? OPERATOR_TOKEN : 'all-scopes', GOOD);
  for (const { name, in: part, schema } of operation.parameters) {
    const isText = alternatives(schema).some(({ type }) => type === 'string');
    if (part === 'path') yield [{ ...valid, path: { ...valid.path, [name]: NUL } }, '404'];
    // A list refuses every cursor that it has not issued, with a code of its own.
    if (part === 'query' && isText && name !== 'cursor')
      yield [{ ...valid, query: { ...valid.query, [name]: NUL } }, '422', ['query', name]];
    // No other control characters than those above 127 can be sent in a header.
    if (part === 'header' && schema.pattern !== undefined)
      yield [
        { ...valid, headers: { ...valid.headers, [name]: 'a\x85b' } },
        name === 'X-End-User' ? '400' : '422',
      ];
  }
  for (const [name, schema] of Object.entries(operation.body?.properties ?? {}))
    for (const value of [NUL, HALF_A_PAIR].flatMap((text) => withText(schema, text)))
      yield [{ ...valid, body: { ...(valid.body as object), [name]: value } }, '422', ['body', name]];
}

test('no input of any endpoint takes a control character or half of a surrogate pair', async () => {
  let sent = 0;
  for (const operation of operations)
    for (const [parts, refusal, loc] of requestsOf(operation)) {
      const { status, text } = await send(own.gateway.baseUrl, operation, parts);
      const { detail = [] } = JSON.parse(text) as { detail?: { loc: unknown[] }[] };
      const named = detail.map((mistake) => mistake.loc.slice(0, 2));
      const what = `${operation.operationId} with ${JSON.stringify(parts)}`;
      expect([String(status), loc ? named : []], what).toEqual([
        refusal,
        loc ? expect.arrayContaining([loc]) : [],
      ]);
      sent++;
    }
  expect(sent).toBeGreaterThan(200);
});
