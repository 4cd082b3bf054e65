import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { RequestDraft } from './fuzz-request.ts';
import { alternatives, type JsonSchema } from '../declared-api/json-schema.ts';
import type { NamedValues } from './named-values.ts';
import type { Operation, Parameter } from '../declared-api/openapi-document.ts';

/** A cursor is valid only for the list and the filters that it was issued for, so drafts have none. */
const ISSUED = 'cursor';

/** Requests that follow the document for all inputs of the operation. Optional inputs are present or absent at random. */
export function validDrafts(operation: Operation, named: NamedValues): fc.Arbitrary<RequestDraft> {
  const { parameters, body } = operation;
  const texts = (where: Parameter['in'], textOf: (value: unknown) => string) => {
    const own = parameters.filter((parameter) => parameter.in === where && parameter.name !== ISSUED);
    const values = own.map(({ name, schema }) => [name, valuesOf(name, schema, named).map(textOf)] as const);
    const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name);
    return someOf(Object.fromEntries(values), requiredKeys);
  };
  return fc
    .record({
      path: texts('path', queryText),
      query: texts('query', queryText).map((values) => Object.entries(values)),
      headers: fc
        .tuple(texts('header', String), headersOf(operation, named))
        .map(([declared, others]) => ({ ...declared, ...others })),
      body: body ? bodyFields(body, named) : fc.constant(undefined),
    })
    .map(withKeyOfItsOwn);
}

/** The text of a parameter's value in a path or a query. */
export function queryText(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed());
}

/** An idempotency key belongs to one request. A hash keeps two different requests from sharing a short random key. */
function withKeyOfItsOwn(draft: RequestDraft): RequestDraft {
  const { 'Idempotency-Key': key, ...headers } = draft.headers;
  if (key === undefined) return draft;
  const whatIsRequested = hash(
    'sha256',
    JSON.stringify([draft.path, draft.query, headers, draft.body]),
    'hex',
  );
  return { ...draft, headers: { ...headers, 'Idempotency-Key': `${key} ${whatIsRequested}` } };
}

function bodyFields({ properties = {}, required = [] }: JsonSchema, named: NamedValues) {
  const values = Object.entries(properties).map(
    ([name, schema]) => [name, valuesOf(name, schema, named).map((value) => JSON.stringify(value))] as const,
  );
  return someOf(Object.fromEntries(values), required).map((fields) => Object.entries(fields));
}

/** @throws Error if neither the schema nor `named` says enough to draw a value */
export function valuesOf(name: string, schema: JsonSchema, named: NamedValues): fc.Arbitrary<unknown> {
  const own = named[name];
  const known = typeof own === 'function' ? own(schema) : own;
  if (known) return known;
  const values = alternatives(schema).map(valuesOfType);
  if (values.every((one) => one !== undefined)) return fc.oneof(...values);
  throw new Error(`what is a valid ${name}? Its schema, ${JSON.stringify(schema)}, does not say`);
}

function valuesOfType(schema: JsonSchema): fc.Arbitrary<unknown> | undefined {
  const { type, minimum, maximum, pattern, examples = [] } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (pattern !== undefined) {
    const any = fc.stringMatching(new RegExp(pattern));
    return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), any) : any;
  }
  if (type === 'integer') {
    const [min, max] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
    return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
  }
  if (type === 'number') {
    const [min, max] = [minimum ?? -Number.MAX_VALUE, maximum ?? Number.MAX_VALUE];
    return fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }), usualNumbers(min, max));
  }
  return undefined;
}

/** Amounts that users send, of all sizes that occur in a market. */
function usualNumbers(min: number, max: number): fc.Arbitrary<number> {
  return fc
    .constantFrom(0, 0.5, 1, 6, 1e6, 1e8, 1e9, 5e9, min)
    .filter((number) => number >= min && number <= max);
}

function headersOf({ method, body }: Operation, named: NamedValues): fc.Arbitrary<Record<string, string>> {
  const tags = method === 'get' ? (named['If-None-Match'] as fc.Arbitrary<string>) : undefined;
  const values: Record<string, fc.Arbitrary<string>> = {
    'accept-encoding': fc.constantFrom('gzip', 'identity', 'br, *;q=0', 'gzip;q=0', ''),
    // Also sent where it is not declared; there it must have no effect.
    ...(tags && { 'If-None-Match': tags }),
    ...(body && { 'content-type': fc.constantFrom(...JSON_TYPES) }),
  };
  return someOf(values, body ? ['content-type'] : []);
}

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'application/problem+json'];

/** All required members and a random selection of the others. */
function someOf<Value>(values: Record<string, fc.Arbitrary<Value>>, requiredKeys: string[]) {
  return fc.record(values, { requiredKeys }) as fc.Arbitrary<Record<string, Value>>;
}
