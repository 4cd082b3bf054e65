import fc from 'fast-check';
import { MODELS } from '#models/registry.ts';
import { textMistakes } from '#platform/wire/text-mistakes.ts';
import type { Operation } from '../declared-api/openapi-document.ts';
import type { Rest } from '../rest/rest.ts';
import { FuzzRequest, type RequestDraft } from './fuzz-request.ts';
import { type NamedValues, noDates, type MarketValues } from './named-values.ts';
import { edgesOf, type JsonSchema } from '../declared-api/json-schema.ts';
import { validDrafts, valuesOf } from './valid-requests.ts';
import { invalidJson } from './invalid-values.ts';

/** Ends within a moment; the other models train for seconds. */
const CHEAP_MODEL = 'confluence_filter';
const SHARE_OF_CHEAP = 8;
const MAX_MISTAKES = 3;

/** Submissions of every model, mostly of the cheap one. */
export function runDrafts(
  operation: Operation,
  models: RunnableModel[],
  named: NamedValues,
): fc.Arbitrary<RequestDraft> {
  return fc.oneof(
    ...models.map((model) => ({
      weight: model.id === CHEAP_MODEL ? SHARE_OF_CHEAP : 1,
      arbitrary: fc
        .tuple(runDraftsOf(operation, model, named), validParams(model, named), fc.nat(9))
        .map(([draft, params, kind]) => ({ ...draft, body: bodyWith(kind, params) })),
    })),
  );
}

/** Kinds 0 to 2 are the three ways to request the defaults. */
function bodyWith(kind: number, params: ParamTexts): RequestDraft['body'] {
  if (kind === 0) return undefined;
  if (kind === 1) return [];
  return [['params', kind === 2 ? 'null' : paramsText(params)]];
}

function runDraftsOf(
  operation: Operation,
  model: RunnableModel,
  named: NamedValues,
): fc.Arbitrary<RequestDraft> {
  return validDrafts(operation, {
    ...named,
    model_id: fc.constant(model.id),
    view: fc.constantFrom(...model.views),
    params: fc.constant({}),
  });
}

/** A submission that ends immediately because it names nothing to analyse. It serves to try the rest of a request. */
export function emptyRun(): RequestDraft {
  return {
    path: { model_id: 'recovery_v4' },
    query: [],
    headers: { 'X-End-User': 'tester', 'content-type': 'application/json' },
    body: [['params', '{}']],
  };
}

/** Submissions with one to three wrong parameters beside valid ones. The refusal must name all wrong ones. */
export function runsWithMistakes(
  operation: Operation,
  model: RunnableModel,
  named: NamedValues,
): fc.Arbitrary<FuzzRequest> {
  const mistakes = fc
    .subarray(parameterMistakes(model), { minLength: 1, maxLength: MAX_MISTAKES })
    .chain((chosen) => fc.tuple(...chosen));
  const drafts = runDraftsOf(operation, model, named);
  return fc.tuple(drafts, validParams(model, named), mistakes).map(([draft, params, wrong]) => {
    const names = wrong.map(([name]) => name);
    return runWith(operation, draft, { ...params, ...Object.fromEntries(wrong) }, names);
  });
}

/**
 * A small number of submissions that together cover every bound and every option of every parameter of a model, and one for
 * each value beyond a bound, which starts no run.
 */
export function runsAtBounds(operation: Operation, model: RunnableModel): FuzzRequest[] {
  const draft = { ...emptyRun(), path: { model_id: model.id } };
  const edges = Object.entries(model.params).map(([name, schema]) => {
    const texts = (isAllowed: boolean) =>
      edgesOf(schema)
        .filter((edge) => edge.isAllowed === isAllowed)
        .map(({ value }) => JSON.stringify(value));
    const booleans = schema.type === 'boolean' ? ['true', 'false'] : [];
    return { name, allowed: [...texts(true), ...booleans], refused: texts(false) };
  });
  const most = Math.max(...edges.map(({ allowed }) => allowed.length));
  const allowed = Array.from({ length: most }, (_, i) =>
    Object.fromEntries(
      edges
        .filter(({ allowed }) => allowed.length > 0)
        .map(({ name, allowed }) => [name, allowed[i % allowed.length]!]),
    ),
  );
  return [
    ...allowed.map((params) => runWith(operation, draft, params, [])),
    ...edges.flatMap(({ name, refused }) =>
      refused.map((text) => runWith(operation, draft, { [name]: text }, [name])),
    ),
  ];
}

function runWith(
  operation: Operation,
  draft: RequestDraft,
  params: ParamTexts,
  wrongNames: string[],
): FuzzRequest {
  const places = wrongNames.map((name) => ['body', 'params', name.toWellFormed()]);
  const refusal = { status: 422, code: 'invalid_request', places };
  const body: RequestDraft['body'] = [['params', paramsText(params)]];
  return new FuzzRequest(operation, { ...draft, body }, wrongNames.length > 0 ? refusal : undefined);
}

/** A published model, described by its own parameter schema. */
export interface RunnableModel {
  id: string;
  views: string[];
  params: Record<string, JsonSchema>;
}

/** Parameters by name, their values as JSON text. */
type ParamTexts = Record<string, string>;

interface Parameter {
  type: 'integer' | 'float' | 'boolean' | 'string' | 'date' | 'array';
  min?: number;
  max?: number;
  options?: (string | number)[];
}

export async function runnableModels(rest: Rest): Promise<RunnableModel[]> {
  const { body: catalogue } = await rest.get<{ models: { id: string }[] }>('/api/v1/models');
  return Promise.all(
    catalogue.models.map(async ({ id }) => {
      const path = `/api/v1/models/${id}/params`;
      const { params } = (await rest.get<{ params: Record<string, Parameter> }>(path)).body;
      const schemas = Object.entries(params).map(([name, parameter]) => [name, schemaOf(parameter)] as const);
      // The API states only in prose which views a model has.
      const { views } = MODELS.find((model) => model.id === id)!;
      return { id, views: [...views], params: Object.fromEntries(schemas) };
    }),
  );
}

/** The contract's mapping of parameter types to JSON. */
function schemaOf({ type, min, max, options }: Parameter): JsonSchema {
  return {
    type: JSON_TYPES[type],
    ...(type === 'date' && { format: 'date' }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(options && { enum: options }),
  };
}

const JSON_TYPES = {
  integer: 'integer',
  float: 'number',
  boolean: 'boolean',
  string: 'string',
  date: 'string',
  array: 'array',
};

/** Values of the parameters that the contract describes only in prose. */
export const parameterValues = ({ days, tickers }: MarketValues): NamedValues => ({
  analysis_date: fc.constantFrom('today', ...days),
  cycles: fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 10 }),
  positions: fc.array(position(tickers), { maxLength: 5 }),
});

function position(tickers: string[]): fc.Arbitrary<object> {
  const ticker = fc.oneof(fc.mixedCase(fc.constantFrom(...tickers)), fc.stringMatching(/^[A-Z0-9-]{1,12}$/));
  return fc.oneof(
    fc.record({ ticker, pnl_input: fc.double({ min: -99, max: 100_000, noNaN: true }) }),
    fc.record({ ticker, avg_price_input: fc.double({ min: 0.01, max: 1e9, noNaN: true }) }),
  );
}

/** A random selection of the parameters as JSON texts, with values that their schemas allow. */
function validParams(model: RunnableModel, named: NamedValues): fc.Arbitrary<ParamTexts> {
  const values = Object.entries(model.params).map(
    ([name, schema]) => [name, valuesOf(name, schema, named).map((value) => JSON.stringify(value))] as const,
  );
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }) as fc.Arbitrary<ParamTexts>;
}

function paramsText(params: ParamTexts): string {
  return `{${Object.entries(params)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;
}

/** Name and JSON text of a parameter that a model must refuse: one arbitrary for each parameter and one for unknown names. */
function parameterMistakes({ params }: RunnableModel): fc.Arbitrary<[name: string, text: string]>[] {
  const others = UNKNOWN_PARAMETERS.filter((name) => !Object.hasOwn(params, name));
  return [
    ...Object.entries(params).map(([name, schema]) =>
      invalidParameter(name, schema)
        // The gateway refuses a text that no request may have before the model is asked about the other parameters.
        .filter((text) => textMistakes(JSON.parse(text), []).length === 0)
        .map((text): [string, string] => [name, text]),
    ),
    fc.constantFrom(...others).map((name): [string, string] => [name, '1']),
  ];
}

/** Only names that a refusal repeats in full. */
const UNKNOWN_PARAMETERS = [
  ...['surprise', 'LOOKBACK', 'Max_Picks', 'toString', 'constructor'],
  ...['', ' ', '😀'],
];

function invalidParameter(name: string, schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'date')
    return fc.oneof(
      invalidJson(schema),
      noDates.map((text) => JSON.stringify(text)),
    );
  if (schema.type !== 'array') return invalidJson(schema);
  const { bad, good, max = 100 } = ITEMS[name]!;
  return fc.oneof(
    // Null is the default of `tickers`.
    invalidJson(schema).filter((text) => name !== 'tickers' || text !== 'null'),
    fc.constantFrom(...bad).map((text) => `[${text}]`),
    fc.tuple(fc.constantFrom(...bad), fc.nat(5)).map(([text, n]) => `[${`${good},`.repeat(n)}${text}]`),
    fc.integer({ min: max + 1, max: 10 * max }).map((n) => `[${Array(n).fill(good).join(',')}]`),
    fc.integer({ min: 1, max: 12 }).map((depth) => `[${'['.repeat(depth)}${']'.repeat(depth)}]`),
  );
}

const NO_TICKERS = ['""', '" "', `"${'A'.repeat(65)}"`, 'null', '5', '{}', '["BBCA"]'];
const NO_CYCLES = '0 -1 721 1.5 1e309 "90" null true [90] {}'.split(' ');
const NO_POSITIONS = [
  ...'null "BBCA" 5 [] {} {"ticker":"BBCA"} {"pnl_input":1}'.split(' '),
  ...['"avg_price_input":100', '"shares":100', '"PNL_INPUT":null'].map(
    (more) => `{"ticker":"BBCA","pnl_input":1,${more}}`,
  ),
  ...['"" "BB/CA" "TOOLONGTICKER" "\\ud83d" "BBCA\\u0000" null 5 ["BBCA"]'.split(' '), '" BBCA"']
    .flat()
    .map((ticker) => `{"ticker":${ticker},"pnl_input":1}`),
  ...['"1"', 'true', '-100', '-1e309', '100000.1', '[]'].map((pnl) => `{"ticker":"BBCA","pnl_input":${pnl}}`),
  ...['0', '-5', '0.009', '1000000001', '"100"', '{}'].map(
    (price) => `{"ticker":"BBCA","avg_price_input":${price}}`,
  ),
];

/** What lists contain: items that are refused, one that is accepted, and how many at most if not 100. */
const ITEMS: Record<string, { bad: string[]; good: string; max?: number }> = {
  positions: { bad: NO_POSITIONS, good: '{"ticker":"BBCA","pnl_input":1}' },
  cycles: { bad: NO_CYCLES, good: '90' },
  tickers: { bad: NO_TICKERS, good: '"BBCA"', max: 1_000 },
};
