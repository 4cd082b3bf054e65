import fc from 'fast-check';
import { refused, sole, withField, type SoleDamage } from './damages.ts';
import type { RequestDraft } from './fuzz-request.ts';
import type { JsonSchema } from './json-schema.ts';
import { noTickers, tooManyTickers } from './market-values.ts';

/** Bodies that are none, that are too large or too deep, or that are said to be of another kind. */
export function bodyDamages({ properties = {} }: JsonSchema): fc.Arbitrary<SoleDamage>[] {
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
    ...('tickers' in properties ? tickerDamages() : []),
  ];
}

function tickerDamages(): fc.Arbitrary<SoleDamage>[] {
  const put = (tickers: string[]) => withField('tickers', JSON.stringify(tickers)).apply;
  return [
    noTickers.map((tickers) => refused(['body', 'tickers'], put(tickers))),
    tooManyTickers.map((tickers) => refused(['body', 'tickers'], put(tickers), 'too_many_tickers')),
  ];
}

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
