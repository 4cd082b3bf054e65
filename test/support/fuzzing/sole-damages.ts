import fc from 'fast-check';
import { CONSENT_DAMAGES, END_USER_DAMAGES } from './account-damages.ts';
import { noCursors, noMoments } from './account-values.ts';
import { bodyDamages } from './body-damages.ts';
import { refused, sole, type SoleDamage } from './damages.ts';
import type { Refusal, RequestDraft } from './fuzz-request.ts';
import { noDates, noTickers, tooManyTickers } from './market-values.ts';
import type { Operation, Parameter } from './openapi-document.ts';
import { refusalOf } from './refusals.ts';
import { queryText } from './valid-requests.ts';

const MALFORMED_ENCODINGS = ['%', '%zz', 'BB%', '%E0%A4', '%C0%80', '%ED%A0%BD'];
/** Percent-encoded. */
const ILL_FORMED_IDS = [
  '%20',
  'A%20B',
  '%00',
  'BBCA%00',
  '%0A',
  '%0D%0A',
  '%C3%A9',
  '%F0%9F%98%80',
  'A'.repeat(65),
  'A'.repeat(5_000),
];

/** Ids that name nothing, values that only the contract's text forbids, and bodies that are none. */
export function soleDamages({ parameters, body, answers }: Operation): fc.Arbitrary<SoleDamage>[] {
  const pathNames = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return [
    ...pathNames.flatMap((name) => [
      sole(MALFORMED_ENCODINGS, ['path'], (text, draft) => ({
        ...draft,
        path: { ...draft.path, [name]: text },
      })),
      fc.constantFrom(...ILL_FORMED_IDS).map((text) => unknownId(name, text, refusalOf(['path', name]))),
      // Without an id it is another path, which does not exist either.
      ...(answers[404]!.description.includes('`not_found`')
        ? [fc.constant(unknownId(name, '', NO_SUCH_PATH))]
        : []),
    ]),
    ...parameters.filter((parameter) => parameter.in === 'query').flatMap(contractDamages),
    ...(parameters.some(({ name }) => name === 'X-End-User') ? END_USER_DAMAGES : []),
    ...(body ? bodyDamages(body) : []),
    ...(body?.properties?.['document_version'] ? CONSENT_DAMAGES : []),
  ];
}

function unknownId(name: string, text: string, refusal: Refusal): SoleDamage {
  return { place: [], refusal, apply: (draft) => ({ ...draft, path: { ...draft.path, [name]: text } }) };
}

const NO_SUCH_PATH: Refusal = { status: 404, code: 'not_found', places: [] };

/** Values that are wrong by the contract's own words for the parameter. */
function contractDamages({ name }: Parameter): fc.Arbitrary<SoleDamage>[] {
  const place = ['query', name];
  const put = (value: unknown, draft: RequestDraft): RequestDraft => ({
    ...draft,
    query: [...draft.query.filter(([other]) => other !== name), [name, queryText(value)]],
  });
  const putting = (values: fc.Arbitrary<unknown>, code?: string) =>
    values.map((value) => refused(place, (draft) => put(value, draft), code));
  switch (name) {
    case 'date':
      return [putting(noDates)];
    case 'since':
    case 'until':
      return [putting(noMoments)];
    case 'tickers':
      return [putting(noTickers), putting(tooManyTickers, 'too_many_tickers')];
    case 'cursor':
      return [
        noCursors.map((text) => ({
          place: [],
          refusal: { status: 422, code: 'invalid_cursor', places: [] },
          apply: (draft) => put(text, draft),
        })),
      ];
    default:
      return [];
  }
}
