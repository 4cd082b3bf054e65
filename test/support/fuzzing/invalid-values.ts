import fc from 'fast-check';
import { alternatives, type JsonSchema } from '../declared-api/json-schema.ts';

/** Not decimal numbers, though some parsers accept some of them. */
const NO_NUMBERS = [
  ...'abc NaN Infinity -Infinity 1e309 -1e309 0x10 +5 5\0 5; --5 .5 5. 1e 1,5 1_000 5px'.split(' '),
  ...'\u0665 \uff15 ½ 😀 null true [5] {} %35 5\u200b'.split(' '),
  ...['', ' 5', '5 ', '9'.repeat(400), 'x'.repeat(5_000)],
];
const NO_INTEGERS = ['1.5', '5.0', '1e1', '-0.5'];

/** Texts that are invalid for a query parameter of this schema; undefined if every text is valid. */
export function invalidTexts(schema: JsonSchema): fc.Arbitrary<string> | undefined {
  if (schema.enum) return invalidWords(schema.enum.map(String));
  if (schema.pattern !== undefined) return textsUnlike(schema.pattern);
  if (schema.type !== 'integer' && schema.type !== 'number') return undefined;
  const wrongKind = schema.type === 'integer' ? [...NO_NUMBERS, ...NO_INTEGERS] : NO_NUMBERS;
  return fc.oneof(
    fc.constantFrom(...wrongKind),
    fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/\d/.test(text)),
    ...outOfBounds(schema).map((numbers) => numbers.map(String)),
  );
}

/** Invalid values for a header with a pattern. HTTP can send each of them unchanged. */
export function invalidHeaders({ pattern = '' }: JsonSchema): fc.Arbitrary<string> {
  const wrong = new RegExp(pattern);
  return fc
    .oneof(
      fc.constantFrom('', '\u00e9', 'a\tb', 'caf\u00e9', '\u00ff', 'x'.repeat(256), 'x'.repeat(5_000)),
      fc.stringMatching(/^[!-~][\t\u00a0-\u00ff]{1,40}[!-~]$/),
    )
    .filter((text) => !wrong.test(text));
}

/** JSON texts that are invalid for a field of this schema. */
export function invalidJson(schema: JsonSchema): fc.Arbitrary<string> {
  const branches = alternatives(schema);
  const otherTypes = Object.entries(OF_EVERY_TYPE).flatMap(([type, texts]) =>
    branches.some((branch) => fits(type, branch)) ? [] : texts,
  );
  return fc.oneof(fc.constantFrom(...otherTypes), ...branches.flatMap(invalidOfItsType));
}

/** JSON texts of the schema's type that violate the schema. */
function invalidOfItsType(schema: JsonSchema): fc.Arbitrary<string>[] {
  const { type, enum: words, pattern, minLength, maxLength, items, minItems = 0 } = schema;
  const texts = [
    ...(words && type === 'string' ? [invalidWords(words.map(String))] : []),
    ...(pattern === undefined ? [] : [textsUnlike(pattern)]),
    ...(minLength === 1 ? [fc.constant('')] : []),
    ...(maxLength === undefined
      ? []
      : [fc.integer({ min: 1, max: 2_000 }).map((by) => 'x'.repeat(maxLength + by))]),
  ];
  const otherIntegers = fc.integer().filter((n) => !words?.includes(n));
  return [
    ...texts.map((text) => text.map((value) => JSON.stringify(value))),
    ...outOfBounds(schema).map((numbers) => numbers.map(String)),
    ...(words && type === 'integer' ? [otherIntegers.map(String)] : []),
    ...(items ? [invalidLists(items, minItems)] : []),
  ];
}

const OF_EVERY_TYPE: Record<string, string[]> = {
  null: ['null'],
  boolean: ['true', 'false'],
  string: ['""', '"5"', '"true"', '"BBCA"', '"null"', '"\\u0000"', '"\\ud83d"'],
  number: ['1.5', '-0.5', '1e309', '-1e309', '5e-324'],
  integer: ['5', '1e1', '10.0'],
  array: ['[]', '[5]', '["BBCA"]', '[[]]'],
  object: ['{}', '{"0":"BBCA"}', '{"length":1}', '{"$ref":"#"}'],
};

function fits(type: string, schema: JsonSchema): boolean {
  const types = [schema.type].flat();
  return types.includes(type) || (types.includes('number') && type === 'integer');
}

const SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

/** Numbers beyond each bound: by one and by arbitrary amounts. */
function outOfBounds({ type, minimum, maximum }: JsonSchema): fc.Arbitrary<number>[] {
  if (type !== 'integer' && type !== 'number') return [];
  const within = (range: { min?: number; max?: number }) =>
    type === 'integer'
      ? fc.integer({ ...SAFE, ...range })
      : fc.double({ ...range, noNaN: true, noDefaultInfinity: true });
  return [
    ...(minimum === undefined ? [] : [fc.constant(minimum - 1), within({ max: minimum })]).map((below) =>
      below.filter((number) => number < minimum!),
    ),
    ...(maximum === undefined ? [] : [fc.constant(maximum + 1), within({ min: maximum })]).map((above) =>
      above.filter((number) => number > maximum!),
    ),
  ];
}

function textsUnlike(pattern: string): fc.Arbitrary<string> {
  const allowed = new RegExp(pattern, 'u');
  const seldom = ['', ' ', 'a b', 'a@b.example', 'é', '😀', '\0', 'x\n', 'X y', '\u200b', 'x'.repeat(300)];
  return fc
    .oneof(fc.constantFrom(...seldom, 'x'.repeat(5_000)), fc.string({ unit: 'binary', maxLength: 20 }))
    .filter((text) => !allowed.test(text.toWellFormed()) && !allowed.test(text));
}

function invalidWords(words: string[]): fc.Arbitrary<string> {
  const almost = words.flatMap((word) => [` ${word}`, `${word}\0`, `${word}s`, `${word},${word}`]);
  const others = words.flatMap((word) => [word.slice(0, -1), word.toUpperCase(), word.toLowerCase()]);
  return fc
    .oneof(
      fc.constantFrom('', 'x', 'null', '😀', '0', 'constructor', 'x'.repeat(5_000), ...almost, ...others),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    .filter((word) => !words.includes(word));
}

/** Lists with one invalid item, or too short. */
function invalidLists(items: JsonSchema, minItems: number): fc.Arbitrary<string> {
  const withBadItem = fc
    .tuple(
      fc.array(fc.constantFrom<string>('"BBCA"', '"ZZZZ9"'), { maxLength: 3 }),
      invalidJson(items),
      fc.nat(3),
    )
    .map(([good, bad, at]) => `[${good.toSpliced(at, 0, bad).join(',')}]`);
  return minItems > 0 ? fc.oneof(withBadItem, fc.constant('[]')) : withBadItem;
}
