import fc from 'fast-check';
import { FuzzRequest, type RequestDraft } from './fuzz-request.ts';
import type { NamedValues } from './market-values.ts';
import {
  paramsText,
  validParams,
  parameterMistakes,
  type ParamTexts,
  type RunnableModel,
} from './model-parameters.ts';
import type { Operation } from '../declared-api/openapi-document.ts';
import { edgesOf } from './json-schema.ts';
import { validDrafts } from './valid-requests.ts';

/** Takes a moment, where the others learn for seconds. */
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

/** The defaults are run in each of the ways there are to say so. */
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
  const ofModel: Record<string, fc.Arbitrary<unknown>> = {
    model_id: fc.constant(model.id),
    view: fc.constantFrom(...model.views),
    params: fc.constant({}),
  };
  return validDrafts(operation, (name) => ofModel[name] ?? named(name));
}

/** A submission of the model that ends at once, since it says nothing to work on: for trying all else of a request. */
export function emptyRun(): RequestDraft {
  return {
    path: { model_id: 'recovery_v4' },
    query: [],
    headers: { 'X-End-User': 'tester', 'content-type': 'application/json' },
    body: [['params', '{}']],
  };
}

/** Submissions with one to three wrong parameters beside valid ones; all of them must be named. */
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
 * Few submissions that together have every bound and every option of every parameter of a model, and one for each value
 * beyond a bound, which begins no run.
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
