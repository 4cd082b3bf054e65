import fc from 'fast-check';
import type { Damage } from './damages.ts';
import { fieldDamages } from './field-damages.ts';
import { FuzzRequest } from './fuzz-request.ts';
import type { MarketValues } from './market-values.ts';
import type { Operation } from './openapi-document.ts';
import { soleDamages } from './sole-damages.ts';
import { validDrafts } from './valid-requests.ts';

const MOST_DAMAGES = 3;

/** Requests that must be answered, with data where the dataset has it. */
export function validRequests(operation: Operation, market: MarketValues): fc.Arbitrary<FuzzRequest> {
  return validDrafts(operation, market).map((draft) => new FuzzRequest(operation, draft));
}

/** Valid requests with one to three places made wrong, all of which must be named by the refusal. */
export function invalidRequests(operation: Operation, market: MarketValues): fc.Arbitrary<FuzzRequest> {
  const alone = soleDamages(operation);
  const damages = fieldDamages(operation);
  const together = fc
    .subarray(damages, { minLength: 1, maxLength: Math.min(MOST_DAMAGES, damages.length) })
    .chain((chosen) => fc.tuple(...chosen));
  const severalPlaces = fc.tuple(validDrafts(operation, market), together).map(([draft, chosen]) => {
    const distinct = firstOfEachPlace(chosen);
    const places = distinct.map(({ place }) => place);
    const damaged = distinct.reduce((changed, damage) => damage.apply(changed), draft);
    return new FuzzRequest(operation, damaged, { status: 422, code: 'invalid_request', places });
  });
  if (alone.length === 0) return severalPlaces;
  const onePlace = fc
    .tuple(validDrafts(operation, market), fc.oneof(...alone))
    .map(([draft, { apply, refusal }]) => new FuzzRequest(operation, apply(draft), refusal));
  return fc.oneof(severalPlaces, onePlace);
}

/** A field that is sent badly and not sent at all would be one mistake, not two. */
function firstOfEachPlace(damages: Damage[]): Damage[] {
  return [...new Map(damages.toReversed().map((damage) => [damage.place.join('/'), damage])).values()];
}
