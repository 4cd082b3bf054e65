import fc from 'fast-check';
import { type Damage, type SoleDamage, MISSING_END_USER, refusalOf, STALE_VERSION } from './damages.ts';
import { FuzzRequest, type RequestDraft, type Place, type Refusal } from './fuzz-request.ts';
import type { Operation, Parameter } from './openapi-document.ts';
import { RUNS } from './fuzz-client.ts';
import { edgesOf, type JsonSchema, type Edge } from './json-schema.ts';
import { queryText } from './valid-requests.ts';

const MAX_DAMAGES = 3;

type Drafts = fc.Arbitrary<RequestDraft>;

/** Requests that must be answered, with data where the dataset has it. */
export function validRequests(operation: Operation, drafts: Drafts): fc.Arbitrary<FuzzRequest> {
  return drafts.map((draft) => new FuzzRequest(operation, draft));
}

/** Valid requests with one to three places made wrong, all of which must be named by the refusal. */
export function requestsWithMistakes(
  operation: Operation,
  drafts: Drafts,
  damages: fc.Arbitrary<Damage>[],
): fc.Arbitrary<FuzzRequest> {
  const together = fc
    .subarray(damages, { minLength: 1, maxLength: Math.min(MAX_DAMAGES, damages.length) })
    .chain((chosen) => fc.tuple(...chosen));
  return fc.tuple(drafts, together).map(([draft, chosen]) => {
    const distinct = firstOfEachPlace(chosen);
    const places = distinct.map(({ place }) => place);
    const damaged = distinct.reduce((changed, damage) => damage.apply(changed), draft);
    return new FuzzRequest(operation, damaged, { status: 422, code: 'invalid_request', places });
  });
}

/** Valid requests with one thing made wrong that is found before, or after, all others. */
export function requestsWithOneMistake(
  operation: Operation,
  drafts: Drafts,
  damages: fc.Arbitrary<SoleDamage>[],
): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(drafts, fc.oneof(...damages))
    .map(([draft, { apply, refusal }]) => new FuzzRequest(operation, apply(draft), refusal));
}

/** A field that is sent badly and not sent at all would be one mistake, not two. */
function firstOfEachPlace(damages: Damage[]): Damage[] {
  return [...new Map(damages.toReversed().map((damage) => [damage.place.join('/'), damage])).values()];
}

/** Each begins a run that others wait behind, though it is cancelled at once: what is fuzzed here is validation. */
const SHARE_OF_RUNS = 0.04;
/** The others have fewer inputs than market data has, and most of them ask a store where that answers from memory. */
const SHARE = { valid: 0.2, invalid: 0.4 };

/** How many requests of a kind an operation gets: as many as asked for, and fewer where each costs much. */
export function requestsEach({ operationId, tag }: Operation, kind: 'valid' | 'invalid'): number {
  const isRun = operationId === 'submitRun' && kind === 'valid';
  const share = tag === 'Market data' ? 1 : isRun ? SHARE_OF_RUNS : SHARE[kind];
  return Math.ceil(RUNS * share);
}

/**
 * Requests at the edge of what each input may be, made of one that is valid and comes first: every bound and every
 * word, which must be answered, and what is one beyond each bound, which must be refused.
 */
export function boundRequests(operation: Operation, draft: RequestDraft): FuzzRequest[] {
  // A key that the first of them used would be in conflict with every other.
  const { 'Idempotency-Key': _, ...headers } = draft.headers;
  const base = { ...draft, headers };
  return [
    new FuzzRequest(operation, base),
    ...operation.parameters.flatMap((parameter) =>
      edgesOf(parameter.schema)
        .filter((edge) => canBeSent(parameter, edge))
        .map((edge) => {
          const refusal = refusalAt([parameter.in, parameter.name], edge);
          return new FuzzRequest(operation, withParameter(base, parameter, String(edge.value)), refusal);
        }),
    ),
    ...fieldsOf(operation.body).flatMap(([name, edge]) => {
      const body = withValue(base.body as RequestDraft['query'], name, JSON.stringify(edge.value));
      return new FuzzRequest(operation, { ...base, body }, refusalAt(['body', name], edge));
    }),
  ];
}

function fieldsOf(body: JsonSchema | undefined): (readonly [string, Edge])[] {
  return Object.entries(body?.properties ?? {}).flatMap(([name, schema]) =>
    edgesOf(schema).map((edge) => [name, edge] as const),
  );
}

/** A path without its id is another path. */
function canBeSent(parameter: Parameter, { value }: Edge): boolean {
  return parameter.in !== 'path' || value !== '';
}

function refusalAt(place: Place, { value, isAllowed }: Edge): Refusal | undefined {
  const name = place[1];
  if (isAllowed) return name === 'document_version' ? STALE_VERSION : undefined;
  return name === 'X-End-User' && value === '' ? MISSING_END_USER : refusalOf(place);
}

function withParameter(draft: RequestDraft, parameter: Parameter, text: string): RequestDraft {
  const { name } = parameter;
  if (parameter.in === 'path') return { ...draft, path: { ...draft.path, [name]: queryText(text) } };
  if (parameter.in === 'header') return { ...draft, headers: { ...draft.headers, [name]: text } };
  return { ...draft, query: withValue(draft.query, name, queryText(text)) };
}

function withValue(values: RequestDraft['query'], name: string, text: string): RequestDraft['query'] {
  return [...values.filter(([other]) => other !== name), [name, text]];
}
