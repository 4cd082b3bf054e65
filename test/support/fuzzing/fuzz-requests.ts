import fc from 'fast-check';
import type { Damage, SoleDamage } from './damages.ts';
import { FuzzRequest, type RequestDraft } from './fuzz-request.ts';
import type { Operation } from './openapi-document.ts';
import { RUNS } from './send-all.ts';

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
