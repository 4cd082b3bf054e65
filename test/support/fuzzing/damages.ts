import fc from 'fast-check';
import type { Place, Refusal, RequestDraft } from './fuzz-request.ts';

/** A change to a valid request that makes one place of it wrong. */
export interface Damage {
  place: Place;
  apply: (draft: RequestDraft) => RequestDraft;
}

/** A damage that is found before, or after, all others, and so comes alone. */
export interface SoleDamage extends Damage {
  refusal: Refusal;
}

/** Puts a field of the body, given as JSON text, in the place of what was sent. */
export function withField(name: string, text: string): Damage {
  return {
    place: ['body', name],
    apply: (draft) => ({ ...draft, body: [...without(draft.body, name), [name, text]] }),
  };
}

export function without(body: RequestDraft['body'], name: string): [string, string][] {
  return Array.isArray(body) ? body.filter(([field]) => field !== name) : [];
}

/** One of these values in that place. */
export function sole<Value extends string | Buffer>(
  values: Value[],
  place: Place,
  apply: (value: Value, draft: RequestDraft) => RequestDraft,
): fc.Arbitrary<SoleDamage> {
  return fc.constantFrom(...values).map((value) => refused(place, (draft) => apply(value, draft)));
}

/** Anything in that place for which the whole request is refused as invalid, or by another code. */
export function refused(place: Place, apply: Damage['apply'], code = 'invalid_request'): SoleDamage {
  return { place, apply, refusal: { status: 422, code, places: [place] } };
}
