import fc from 'fast-check';
import { withField, without, type Damage } from './damages.ts';
import type { RequestDraft } from './fuzz-request.ts';
import { invalidHeaders, invalidJson, invalidTexts } from './invalid-values.ts';
import type { Operation, Parameter } from './openapi-document.ts';
import { queryText } from './valid-requests.ts';

const UNKNOWN_NAMES = [
  'surprise',
  'DAYS',
  'Top_N',
  'days[]',
  'days[0]',
  'constructor',
  'toString',
  '😀',
  'a'.repeat(3_000),
];

/** Declared headers whose schema says what they may hold; X-End-User is looked at before all others. */
const isCheckedHeader = (parameter: Parameter) =>
  parameter.in === 'header' && parameter.schema.pattern !== undefined && parameter.name !== 'X-End-User';

/** Damages that gateways find together, one arbitrary for each place they can be in. */
export function fieldDamages({ parameters, body }: Operation): fc.Arbitrary<Damage>[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return [
    ...inQuery.map(queryDamage),
    ...parameters.filter(isCheckedHeader).map(headerDamage),
    fc.constantFrom(...UNKNOWN_NAMES, '', '__proto__').map((name) => ({
      place: ['query', name],
      apply: (draft) => ({ ...draft, query: [...draft.query, [queryText(name), '1']] }),
    })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
      invalidJson(schema).map((text) => withField(name, text)),
    ),
    ...(body?.required ?? []).map((name) =>
      fc.constant<Damage>({
        place: ['body', name],
        apply: (draft) => ({ ...draft, body: without(draft.body, name) }),
      }),
    ),
    ...(body ? [fc.constantFrom(...UNKNOWN_NAMES).map((name) => withField(name, '1'))] : []),
  ];
}

function headerDamage({ name, schema }: Parameter): fc.Arbitrary<Damage> {
  return invalidHeaders(schema).map((text) => ({
    place: ['header', name],
    apply: (draft) => ({ ...draft, headers: { ...draft.headers, [name]: text } }),
  }));
}

function queryDamage(parameter: Parameter): fc.Arbitrary<Damage> {
  const { name, schema, required } = parameter;
  const place = ['query', name];
  const others = (draft: RequestDraft) => draft.query.filter(([other]) => other !== name);
  const repeated: Damage = {
    place,
    apply: (draft) => ({ ...draft, query: [...others(draft), [name, '1'], [name, '2']] }),
  };
  const left: Damage = { place, apply: (draft) => ({ ...draft, query: others(draft) }) };
  const replaced = invalidTexts(schema)?.map((text): Damage => ({
    place,
    apply: (draft) => ({ ...draft, query: [...others(draft), [name, queryText(text)]] }),
  }));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(repeated) },
    ...(required ? [{ weight: 1, arbitrary: fc.constant(left) }] : []),
    ...(replaced ? [{ weight: 8, arbitrary: replaced }] : []),
  );
}
