import fc from 'fast-check';
import { invalidJson } from './invalid-values.ts';
import type { JsonSchema } from './json-schema.ts';
import { noDates } from './market-values.ts';
import type { RunnableModel } from './model-parameters.ts';

/** Name and JSON text of a parameter that a model must refuse, one arbitrary for each parameter and one for others. */
export function parameterMistakes({ params }: RunnableModel): fc.Arbitrary<[name: string, text: string]>[] {
  const others = UNKNOWN_PARAMETERS.filter((name) => !Object.hasOwn(params, name));
  return [
    ...Object.entries(params).map(([name, schema]) =>
      invalidParameter(name, schema).map((text): [string, string] => [name, text]),
    ),
    fc.constantFrom(...others).map((name): [string, string] => [name, '1']),
  ];
}

/** Only names that a refusal repeats in full. */
const UNKNOWN_PARAMETERS = [
  'surprise',
  'LOOKBACK',
  'Max_Picks',
  'toString',
  'constructor',
  '',
  ' ',
  '😀',
  '\0',
  '\ud83d',
];

function invalidParameter(name: string, schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'date')
    return fc.oneof(
      invalidJson(schema),
      noDates.map((text) => JSON.stringify(text)),
    );
  if (schema.type !== 'array') return invalidJson(schema);
  const bad = name === 'positions' ? NO_POSITIONS : NO_CYCLES;
  const good = name === 'positions' ? '{"ticker":"BBCA","pnl_input":1}' : '90';
  return fc.oneof(
    invalidJson(schema),
    fc.constantFrom(...bad).map((text) => `[${text}]`),
    fc.tuple(fc.constantFrom(...bad), fc.nat(5)).map(([text, n]) => `[${`${good},`.repeat(n)}${text}]`),
    fc.integer({ min: 101, max: 1_000 }).map((n) => `[${Array(n).fill(good).join(',')}]`),
    fc.integer({ min: 1, max: 12 }).map((depth) => `[${'['.repeat(depth)}${']'.repeat(depth)}]`),
  );
}

const NO_CYCLES = ['0', '-1', '721', '1.5', '1e309', '"90"', 'null', 'true', '[90]', '{}'];
const NO_POSITIONS = [
  ...['null', '"BBCA"', '5', '[]', '{}', '{"ticker":"BBCA"}', '{"pnl_input":1}'],
  '{"ticker":"BBCA","pnl_input":1,"avg_price_input":100}',
  ...[
    '""',
    '" BBCA"',
    '"BB/CA"',
    '"TOOLONGTICKER"',
    '"\\ud83d"',
    '"BBCA\\u0000"',
    'null',
    '5',
    '["BBCA"]',
  ].map((ticker) => `{"ticker":${ticker},"pnl_input":1}`),
  ...['"1"', 'true', '-100', '-1e309', '100000.1', '[]'].map((pnl) => `{"ticker":"BBCA","pnl_input":${pnl}}`),
  ...['0', '-5', '0.009', '1000000001', '"100"', '{}'].map(
    (price) => `{"ticker":"BBCA","avg_price_input":${price}}`,
  ),
];
