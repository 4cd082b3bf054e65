import fc from 'fast-check';
import { MISSING_END_USER, refusalOf, STALE_VERSION, type Damage, type SoleDamage } from './damages.ts';
import { FuzzRequest, put, type Place, type Refusal, type RequestDraft } from './fuzz-request.ts';
import type { Operation } from '../declared-api/openapi-document.ts';
import { RUNS } from './fuzz-client.ts';
import { edgesOf, type JsonSchema, type Edge } from '../declared-api/json-schema.ts';
import { queryText } from './valid-requests.ts';

const MAX_DAMAGES = 3;

type Drafts = fc.Arbitrary<RequestDraft>;

/** Requests that must be answered, with data if the dataset has it. */
export function validRequests(operation: Operation, drafts: Drafts): fc.Arbitrary<FuzzRequest> {
  return drafts.map((draft) => new FuzzRequest(operation, draft));
}

/** Valid requests with one to three places made wrong. The refusal must name all of them. */
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

/** Valid requests with one mistake that is detected before or after all others. */
export function requestsWithOneMistake(
  operation: Operation,
  drafts: Drafts,
  damages: fc.Arbitrary<SoleDamage>[],
): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(drafts, fc.oneof(...damages))
    .map(([draft, { apply, refusal }]) => new FuzzRequest(operation, apply(draft), refusal));
}

/** A field that is both sent badly and not sent at all is one mistake, not two. */
function firstOfEachPlace(damages: Damage[]): Damage[] {
  return [...new Map(damages.toReversed().map((damage) => [damage.place.join('/'), damage])).values()];
}

/**
 * Small, because each valid submission starts a run that delays others, even though it is cancelled immediately. Only
 * validation is fuzzed here.
 */
const SHARE_OF_RUNS = 0.04;
/**
 * For operations other than market data. They have fewer inputs, and most query a store where market data answers from memory.
 */
const SHARE = { valid: 0.2, invalid: 0.4 };

/** How many requests of a kind to send to an operation: fewer where each costs much. */
export function requestsEach({ operationId, tag }: Operation, kind: 'valid' | 'invalid'): number {
  const isRun = operationId === 'submitRun' && kind === 'valid';
  const share = tag === 'Market data' ? 1 : isRun ? SHARE_OF_RUNS : SHARE[kind];
  return Math.ceil(RUNS * share);
}

/**
 * Requests at the limits of each input, derived from a valid one, which comes first. Every bound and every word must be
 * answered; every value just beyond a bound must be refused.
 */
export function boundRequests(operation: Operation, draft: RequestDraft): FuzzRequest[] {
  // With the same idempotency key, every request after the first would be a conflict.
  const base = put(draft, ['header', 'Idempotency-Key']);
  const requestsAt = (place: Place, schema: JsonSchema, textOf: (value: Edge['value']) => string) =>
    edgesOf(schema)
      // A path without its id is another path.
      .filter(({ value }) => place[0] !== 'path' || value !== '')
      .map((edge) => {
        const changed = put(base, place, textOf(edge.value));
        return new FuzzRequest(operation, changed, refusalAt(place, edge));
      });
  return [
    new FuzzRequest(operation, base),
    ...operation.parameters.flatMap(({ in: part, name, schema }) =>
      requestsAt([part, name], schema, part === 'header' ? String : queryText),
    ),
    ...Object.entries(operation.body?.properties ?? {}).flatMap(([name, schema]) =>
      requestsAt(['body', name], schema, (value) => JSON.stringify(value)),
    ),
  ];
}

function refusalAt(place: Place, { value, isAllowed }: Edge): Refusal | undefined {
  const name = place[1];
  if (isAllowed) return name === 'document_version' ? STALE_VERSION : undefined;
  return name === 'X-End-User' && value === '' ? MISSING_END_USER : refusalOf(place);
}
