import fc from 'fast-check';
import type { RequestDraft } from './fuzz-request.ts';
import type { JsonSchema } from './json-schema.ts';
import { namedValues, type MarketValues } from './market-values.ts';
import type { Operation, Parameter } from './openapi-document.ts';

/** Requests that keep to everything the document says of the operation's inputs; optional ones come and go. */
export function validDrafts(operation: Operation, market: MarketValues): fc.Arbitrary<RequestDraft> {
  const { parameters, body } = operation;
  const texts = (where: Parameter['in']) => {
    const own = parameters.filter((parameter) => parameter.in === where);
    const values = own.map(
      ({ name, schema }) => [name, valuesOf(name, schema, market).map(queryText)] as const,
    );
    const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name);
    return someOf(Object.fromEntries(values), requiredKeys);
  };
  return fc.record({
    path: texts('path'),
    query: texts('query').map((values) => Object.entries(values)),
    headers: headersOf(operation),
    body: body ? bodyFields(body, market) : fc.constant(undefined),
  });
}

/** What a parameter's value looks like in a path or a query. */
export function queryText(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed());
}

function bodyFields({ properties = {}, required = [] }: JsonSchema, market: MarketValues) {
  const values = Object.entries(properties).map(
    ([name, schema]) => [name, valuesOf(name, schema, market).map((value) => JSON.stringify(value))] as const,
  );
  return someOf(Object.fromEntries(values), required).map((fields) => Object.entries(fields));
}

/** @throws Error for an input of which the schema says too little to draw it and nothing else is known. */
function valuesOf(name: string, schema: JsonSchema, market: MarketValues): fc.Arbitrary<unknown> {
  const { minimum, maximum } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const named = namedValues(name, market);
  if (named) return named;
  if (schema.type === 'integer') {
    const [min, max] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
    return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
  }
  if (schema.type === 'number') {
    const [min, max] = [minimum ?? -Number.MAX_VALUE, maximum ?? Number.MAX_VALUE];
    return fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }), usualNumbers(min, max));
  }
  throw new Error(`what is a valid ${name}? Its schema, ${JSON.stringify(schema)}, does not tell`);
}

/** Amounts that a user would send, of all sizes that occur in a market. */
function usualNumbers(min: number, max: number): fc.Arbitrary<number> {
  return fc.constantFrom(0, 0.5, 1, 6, 1e6, 1e8, 1e9, 5e9).filter((number) => number >= min && number <= max);
}

function headersOf({ method, body }: Operation): fc.Arbitrary<Record<string, string>> {
  const values: Record<string, fc.Arbitrary<string>> = {
    'accept-encoding': fc.constantFrom('gzip', 'identity', 'br, *;q=0', 'gzip;q=0', ''),
    ...(method === 'get' && { 'if-none-match': fc.constantFrom('*', 'W/"x"', '"x", W/"y"', 'x', '""', ',') }),
    ...(body && { 'content-type': fc.constantFrom(...JSON_TYPES) }),
  };
  return someOf(values, body ? ['content-type'] : []);
}

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'application/problem+json'];

/** The required ones, and any of the others. */
function someOf<Value>(values: Record<string, fc.Arbitrary<Value>>, requiredKeys: string[]) {
  return fc.record(values, { requiredKeys }) as fc.Arbitrary<Record<string, Value>>;
}
