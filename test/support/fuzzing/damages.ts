import fc from 'fast-check';
import type { Operation, Parameter } from '../declared-api/openapi-document.ts';
import { ENDPOINTS } from './contract-endpoints.ts';
import { noCursors, noMoments, noTickers, noDates } from './named-values.ts';
import { put, type Place, type Refusal, type RequestDraft } from './fuzz-request.ts';
import { alternatives, type JsonSchema } from '../declared-api/json-schema.ts';
import { queryText } from './valid-requests.ts';
import { invalidHeaders, invalidJson, invalidTexts } from './invalid-values.ts';

/** A change that makes one place of a valid request wrong. */
export interface Damage {
  place: Place;
  apply: (draft: RequestDraft) => RequestDraft;
}

/** A damage that is detected before or after all others, so a request has only this one. */
export interface SoleDamage extends Damage {
  refusal: Refusal;
}

/** Replaces a field of the body with this JSON text. */
function withField(name: string, text: string): Damage {
  const place = ['body', name];
  return { place, apply: (draft) => put(draft, place, text) };
}

/** Puts one of these values into that place. */
function sole<Value extends string | Buffer>(
  values: Value[],
  place: Place,
  apply: (value: Value, draft: RequestDraft) => RequestDraft,
): fc.Arbitrary<SoleDamage> {
  return fc.constantFrom(...values).map((value) => refused(place, (draft) => apply(value, draft)));
}

/** A change of that place for which the request is refused with 422. */
function refused(place: Place, apply: Damage['apply']): SoleDamage {
  return { place, apply, refusal: { status: 422, code: 'invalid_request', places: [place] } };
}

const UNKNOWN_ID: Record<string, string> = {
  model_id: 'model_not_found',
  job_id: 'job_not_found',
  backfill_id: 'job_not_found',
  event_id: 'usage_event_not_found',
  screen_id: 'screen_not_found',
  watchlist_id: 'watchlist_not_found',
  webhook_id: 'webhook_not_found',
  delivery_id: 'webhook_not_found',
  session_id: 'not_found',
};

/** How a request is refused in which only this place, or places like it, hold an invalid value. */
export function refusalOf(place: Place): Refusal {
  const [part, name = ''] = place;
  if (part === 'path') return { status: 404, code: UNKNOWN_ID[name] ?? 'not_found', places: [] };
  if (name === 'X-End-User') return { status: 400, code: 'invalid_end_user', places: [] };
  return { status: 422, code: 'invalid_request', places: [place] };
}

/** The refusal of a missing end user. */
export const MISSING_END_USER: Refusal = {
  status: 422,
  code: 'missing_end_user',
  places: [['header', 'X-End-User']],
};

/** The refusal of a version that may be well-formed but is not the current version of the text. */
export const STALE_VERSION: Refusal = { status: 409, code: 'stale_document_version', places: [] };

/** Bodies that are not JSON objects or too deep, or declared with another type, encoding or charset. */
function bodyDamages({ properties = {} }: JsonSchema): fc.Arbitrary<SoleDamage>[] {
  const asBody = (body: RequestDraft['body'], draft: RequestDraft) => ({ ...draft, body });
  // Headers that describe the body have no effect without a body, so these requests always have one.
  const header = (name: string) => (value: string, draft: RequestDraft) =>
    put({ ...draft, body: draft.body ?? '{}' }, ['header', name], value);
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
    ...(properties['tickers']
      ? [
          noTickers.map((tickers) =>
            refused(['body', 'tickers'], withField('tickers', JSON.stringify(tickers)).apply),
          ),
        ]
      : []),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      textsWithin(schema).map((texts) =>
        texts.map((text) => refused(['body', name], withField(name, text).apply)),
      ),
    ),
  ];
}

/** In the middle of a text, what no text of a request may contain: as JSON, and then as it is in a query. */
const NO_TEXTS = ['a\\u0000b', 'a\\u001bb', 'a\\u009bb', 'a\\ud83db'];
const NO_QUERY_TEXTS = fc.constantFrom('a\0b', 'a\x1bb', 'a\x9bb');

/** JSON texts of values that the schema allows but for such a text, one for each type that can hold it. */
function textsWithin(schema: JsonSchema): fc.Arbitrary<string>[] {
  return alternatives(schema).flatMap(({ type, items }) => {
    const types = [type ?? ['string', 'object']].flat();
    const inText = fc.constantFrom(...NO_TEXTS.map((text) => `"${text}"`));
    return [
      ...(types.includes('string') ? [inText] : []),
      ...(types.includes('object') ? [inText.map((text) => `{"x":${text}}`)] : []),
      ...(items?.type === 'string' ? [inText.map((text) => `[${text}]`)] : []),
    ];
  });
}

const NO_OBJECTS = 'null true 5 "tickers" [] ["BBCA"] [{"tickers":["BBCA"]}] 1e309 {"__proto__":{}}'.split(
  ' ',
);
const NO_JSON = [
  ...'{ } {"tickers":["BBCA"] {"tickers":["BBCA"],} {tickers:["BBCA"]} {"tickers":["BBCA"]}{}'.split(' '),
  ...`{'tickers':['BBCA']} {"tickers":[NaN]} {"tickers":["BB\u0001CA"]} NaN \0 tickers=BBCA <tickers/> "\\x"`.split(
    ' ',
  ),
  ...[' ', Buffer.from([0xff, 0xfe, 0x7b, 0x7d])],
];
const OTHER_CONTENT_TYPES = [
  ...'text/plain application/xml application/jsonx json */*'.split(' '),
  'multipart/form-data; boundary=x',
];
const OTHER_ENCODINGS = 'gzip deflate br compress zstd x'.split(' ');

function nested(depth: number): string {
  return `{"tickers":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

const MALFORMED_ENCODINGS = '% %zz BB% %E0%A4 %C0%80 %ED%A0%BD'.split(' ');
/** Already percent-encoded. */
const ILL_FORMED_IDS = [
  ...'%20 A%20B %00 BBCA%00 %0A %0D%0A %C3%A9 %F0%9F%98%80'.split(' '),
  ...['A'.repeat(65), 'A'.repeat(5_000)],
];

/**
 * Ids that do not exist, values that only the contract's text forbids, and invalid bodies. What has a code of its own (end users,
 * consents, too many tickers, too large a body) is sent by the error matrix.
 */
export function soleDamages({
  path,
  parameters,
  body,
  answers: responses,
}: Operation): fc.Arbitrary<SoleDamage>[] {
  const pathNames = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return [
    ...pathNames.flatMap((name) => [
      sole(MALFORMED_ENCODINGS, ['path'], (text, draft) => put(draft, ['path', name], text)),
      fc.constantFrom(...ILL_FORMED_IDS).map((text) => unknownId(name, text, refusalOf(['path', name]))),
      // Without an id the path is another one, which does not exist either unless it is a list.
      ...(responses[404]!.description.includes('`not_found`') && !isList(path, name)
        ? [fc.constant(unknownId(name, '', NO_SUCH_PATH))]
        : []),
    ]),
    ...parameters.filter((parameter) => parameter.in === 'query').flatMap(contractDamages),
    ...(body ? bodyDamages(body) : []),
  ];
}

function unknownId(name: string, text: string, refusal: Refusal): SoleDamage {
  return { place: [], refusal, apply: (draft) => put(draft, ['path', name], text) };
}

/** Whether a path that ends with this id is that of a list without the id. A slash at its end makes no difference. */
function isList(path: string, idName: string): boolean {
  return path.endsWith(`/{${idName}}`) && ENDPOINTS.includes(`get ${path.slice(0, path.lastIndexOf('/'))}`);
}

const NO_SUCH_PATH: Refusal = { status: 404, code: 'not_found', places: [] };

/** Values that the contract's text forbids for the parameter. */
function contractDamages({ name, schema }: Parameter): fc.Arbitrary<SoleDamage>[] {
  const place = ['query', name];
  const putting = (values: fc.Arbitrary<unknown>) =>
    values.map((value) => refused(place, (draft) => put(draft, place, queryText(value))));
  switch (name) {
    case 'date':
      return [putting(noDates)];
    case 'as_of':
    case 'from':
    case 'to':
      return [putting(fc.oneof(fc.constant('today'), noDates))];
    case 'since':
    case 'until':
      return [putting(noMoments)];
    case 'tickers':
      return [putting(noTickers)];
    case 'cursor':
      return [
        noCursors.map((text) => ({
          place: [],
          refusal: { status: 422, code: 'invalid_cursor', places: [] },
          apply: (draft) => put(draft, place, queryText(text)),
        })),
      ];
    default:
      return schema.type === 'string' ? [putting(NO_QUERY_TEXTS)] : [];
  }
}

const UNKNOWN_NAMES = [
  ...'surprise DAYS Top_N days[] days[0] constructor toString 😀'.split(' '),
  'a'.repeat(3_000),
];

/** Declared headers with a pattern. X-End-User is checked before all others, so it is not one of them. */
const isCheckedHeader = (parameter: Parameter) =>
  parameter.in === 'header' && parameter.schema.pattern !== undefined && parameter.name !== 'X-End-User';

/** Damages that gateways report together, as one arbitrary for each place. */
export function fieldDamages({ parameters, body }: Operation): fc.Arbitrary<Damage>[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return [
    ...inQuery.map(queryDamage),
    ...parameters.filter(isCheckedHeader).map(headerDamage),
    fc.constantFrom(...UNKNOWN_NAMES, '', '__proto__').map((name) => ({
      place: ['query', name],
      apply: (draft) => put(draft, ['query', queryText(name)], '1'),
    })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      invalidJson(schema).map((text) => withField(name, text)),
    ),
    ...(body?.required ?? []).map((name) =>
      fc.constant<Damage>({
        place: ['body', name],
        apply: (draft) => put(draft, ['body', name]),
      }),
    ),
    ...(body ? [fc.constantFrom(...UNKNOWN_NAMES).map((name) => withField(name, '1'))] : []),
  ];
}

function headerDamage({ name, schema }: Parameter): fc.Arbitrary<Damage> {
  const place = ['header', name];
  return invalidHeaders(schema).map((text) => ({ place, apply: (draft) => put(draft, place, text) }));
}

function queryDamage(parameter: Parameter): fc.Arbitrary<Damage> {
  const { name, schema, required } = parameter;
  const place = ['query', name];
  const damage = (...texts: string[]): Damage => ({ place, apply: (draft) => put(draft, place, ...texts) });
  const invalid = invalidTexts(schema)?.map((text) => damage(queryText(text)));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(damage('1', '2')) },
    ...(required ? [{ weight: 1, arbitrary: fc.constant(damage()) }] : []),
    ...(invalid ? [{ weight: 8, arbitrary: invalid }] : []),
  );
}
