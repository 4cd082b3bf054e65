import fc from 'fast-check';
import { withField, without, type SoleDamage } from './damages.ts';
import type { RequestDraft } from './fuzz-request.ts';
import { MISSING_END_USER, refusalOf, STALE_VERSION } from './refusals.ts';

/** Only what can be sent in a header. */
const NO_END_USERS = [
  ...['a@b.example', 'a b', 'a,b', '\u00e9', 'a/b', '*', 'x'.repeat(65), 'x'.repeat(5_000)],
  ...['"alice"', 'alice;', '%61', 'a\tb', '<alice>'],
];

export const END_USER_DAMAGES: fc.Arbitrary<SoleDamage>[] = [
  fc.constantFrom(...NO_END_USERS).map((text) => ({
    place: [],
    refusal: refusalOf(['header', 'X-End-User']),
    apply: (draft) => ({ ...draft, headers: { ...draft.headers, 'X-End-User': text } }),
  })),
  fc.constant({
    place: [],
    refusal: MISSING_END_USER,
    apply: (draft) => withoutHeader(draft, 'X-End-User'),
  }),
];

export const CONSENT_DAMAGES: fc.Arbitrary<SoleDamage>[] = [
  fc.constant({
    ...withField('accepted', 'false'),
    refusal: { status: 422, code: 'consent_not_accepted', places: [] },
  }),
  fc
    .oneof(
      fc.constantFrom('v0', ' ', '\0', '\ud83d', '😀', '0'.repeat(32)),
      fc.string({ minLength: 1, maxLength: 128 }),
    )
    .map((version) => {
      const { place, apply } = withField('document_version', JSON.stringify(version));
      // A key that an acceptance has used, or a document that there is not, would be found before.
      const ofDefaultDocument = (draft: RequestDraft) => ({
        ...withoutHeader(draft, 'Idempotency-Key'),
        body: without(draft.body, 'document_id'),
      });
      return { place, apply: (draft) => apply(ofDefaultDocument(draft)), refusal: STALE_VERSION };
    }),
];

function withoutHeader(draft: RequestDraft, name: string): RequestDraft {
  const { [name]: _, ...headers } = draft.headers;
  return { ...draft, headers };
}
