import fc from 'fast-check';
import { noCursors, noMoments } from './account-values.ts';
import { withField, type Damage, type SoleDamage } from './damages.ts';
import type { Place, Refusal, RequestDraft } from './fuzz-request.ts';
import { noDates, noTickers, tooManyTickers } from './market-values.ts';
import type { Operation, Parameter } from './openapi-document.ts';
import { MISSING_END_USER, refusalOf, STALE_VERSION } from './refusals.ts';
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
    ...(body ? bodyDamages(Object.keys(body.properties ?? {})) : []),
  ];
}

function unknownId(name: string, text: string, refusal: Refusal): SoleDamage {
  return { place: [], refusal, apply: (draft) => ({ ...draft, path: { ...draft.path, [name]: text } }) };
}

const NO_SUCH_PATH: Refusal = { status: 404, code: 'not_found', places: [] };

/** Only what can be sent in a header. */
const NO_END_USERS = [
  ...['a@b.example', 'a b', 'a,b', '\u00e9', 'a/b', '*', 'x'.repeat(65), 'x'.repeat(5_000)],
  ...['"alice"', 'alice;', '%61', 'a\tb', '<alice>'],
];

const END_USER_DAMAGES: fc.Arbitrary<SoleDamage>[] = [
  fc.constantFrom(...NO_END_USERS).map((text) => ({
    place: [],
    refusal: refusalOf(['header', 'X-End-User']),
    apply: (draft) => ({ ...draft, headers: { ...draft.headers, 'X-End-User': text } }),
  })),
  fc.constant({
    place: [],
    refusal: MISSING_END_USER,
    apply: ({ headers: { 'X-End-User': _, ...headers }, ...draft }) => ({ ...draft, headers }),
  }),
];

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

function bodyDamages(fields: string[]): fc.Arbitrary<SoleDamage>[] {
  const asBody = (body: RequestDraft['body'], draft: RequestDraft) => ({ ...draft, body });
  // What is said of a body that is not sent is of no account.
  const header = (name: string) => (value: string, draft: RequestDraft) => ({
    ...{ ...draft, body: draft.body ?? '{}' },
    headers: { ...draft.headers, [name]: value },
  });
  return [
    sole(NO_OBJECTS, ['body'], asBody),
    sole(NO_JSON, ['body'], asBody),
    fc
      .integer({ min: 17, max: 30_000 })
      .map((depth) => refused(['body'], (draft) => asBody(nested(depth), draft))),
    sole(OTHER_CONTENT_TYPES, ['header', 'Content-Type'], header('content-type')),
    sole(OTHER_ENCODINGS, ['body'], header('content-encoding')),
    sole(['utf-16', 'latin1', 'x'], ['body'], (charset, draft) =>
      header('content-type')(`application/json; charset=${charset}`, draft),
    ),
    fc.integer({ min: 131_073, max: 400_000 }).map((bytes) => ({
      place: [],
      refusal: { status: 413, code: 'payload_too_large', places: [] },
      apply: (draft: RequestDraft) => asBody(JSON.stringify({ tickers: ['x'.repeat(bytes - 16)] }), draft),
    })),
    ...(fields.includes('tickers') ? tickerDamages() : []),
    ...(fields.includes('document_version') ? CONSENT_DAMAGES : []),
  ];
}

function tickerDamages(): fc.Arbitrary<SoleDamage>[] {
  const put = (tickers: string[]) => withField('tickers', JSON.stringify(tickers)).apply;
  return [
    noTickers.map((tickers) => refused(['body', 'tickers'], put(tickers))),
    tooManyTickers.map((tickers) => refused(['body', 'tickers'], put(tickers), 'too_many_tickers')),
  ];
}

const CONSENT_DAMAGES: fc.Arbitrary<SoleDamage>[] = [
  fc.constant({
    ...withField('accepted', 'false'),
    refusal: { status: 422, code: 'consent_not_accepted', places: [] },
  }),
  fc
    .oneof(
      fc.constantFrom('v0', ' ', '\0', '\ud83d', '😀', '0'.repeat(32)),
      fc.string({ minLength: 1, maxLength: 128 }),
    )
    .map((version) => ({
      ...withField('document_version', JSON.stringify(version)),
      refusal: STALE_VERSION,
    })),
];

const NO_OBJECTS = [
  'null',
  'true',
  '5',
  '"tickers"',
  '[]',
  '["BBCA"]',
  '[{"tickers":["BBCA"]}]',
  '1e309',
  '{"__proto__":{}}',
];
const NO_JSON = [
  ...[
    '{',
    '}',
    '{"tickers":["BBCA"]',
    '{"tickers":["BBCA"],}',
    "{'tickers':['BBCA']}",
    '{tickers:["BBCA"]}',
    'NaN',
    '\0',
    ' ',
  ],
  ...[
    '{"tickers":["BBCA"]}{}',
    '{"tickers":[NaN]}',
    '{"tickers":["BB\u0001CA"]}',
    'tickers=BBCA',
    '<tickers/>',
    '"\\x"',
  ],
  Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
];
const OTHER_CONTENT_TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'json',
  '*/*',
];
const OTHER_ENCODINGS = ['gzip', 'deflate', 'br', 'compress', 'zstd', 'x'];

function nested(depth: number): string {
  return `{"tickers":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

function sole<Value extends string | Buffer>(
  values: Value[],
  place: Place,
  apply: (value: Value, draft: RequestDraft) => RequestDraft,
): fc.Arbitrary<SoleDamage> {
  return fc.constantFrom(...values).map((value) => refused(place, (draft) => apply(value, draft)));
}

function refused(place: Place, apply: Damage['apply'], code = 'invalid_request'): SoleDamage {
  return { place, apply, refusal: { status: 422, code, places: [place] } };
}
