import fc from 'fast-check';
import type { RuleField, RuleFields } from '../field-type.ts';
import { LIMITS, MEASURES, ORDERINGS, type Condition, type Rules } from './rules.ts';

/** Fields for tests: numbers of several units, texts with and without known values, and a flag. */
export const FIELDS: RuleFields = new Map<string, RuleField>([
  ['close', { type: 'number', unit: 'idr_per_share' }],
  ['sma_20', { type: 'number', unit: 'idr_per_share' }],
  ['rsi_14', { type: 'number', unit: 'points' }],
  ['ret_20d', { type: 'number', unit: 'percent' }],
  ['value_20d', { type: 'number', unit: 'idr' }],
  ['sector', { type: 'text', unit: 'none' }],
  ['regime', { type: 'text', unit: 'none', values: ['BULL', 'SIDEWAYS', 'BEAR'] }],
  ['is_liquid', { type: 'boolean', unit: 'none' }],
  ['model.rank', { type: 'number', unit: 'none' }],
]);
export const SECTORS = ['Energy', "Int'l trade", 'a "b"'];
const NUMBERS = [...FIELDS.keys()].filter((name) => FIELDS.get(name)!.type === 'number');

/** Small numbers that occur in small markets, and a few of other sizes. */
const anyNumber = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 6 }) },
  fc.constantFrom(0.5, 1e-7, 1e21, -2.25, 123_456_789.5),
);
const numberField = fc.constantFrom(...NUMBERS);
const operand = fc.oneof(
  anyNumber,
  fc.record({ field: numberField, times: fc.constantFrom(1, 1.02, -1, 0.5) }),
);
const measure: fc.Arbitrary<object> = fc
  .constantFrom(...MEASURES)
  .chain((as): fc.Arbitrary<object> =>
    as === 'change' || as === 'change_pct'
      ? fc.record({ as: fc.constant(as), days: fc.integer({ min: 1, max: 4 }) })
      : fc.constant({ as }),
  );
const bounds = fc.tuple(anyNumber, anyNumber).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);

const measuredTest = fc
  .record({
    subject: fc.oneof(fc.constant<object>({}), measure),
    field: numberField,
    comparison: fc.oneof(
      fc.tuple(fc.constantFrom(...ORDERINGS, 'equal'), anyNumber).map(([name, value]) => ({ [name]: value })),
      bounds.map((between) => ({ between })),
    ),
  })
  .map(({ subject, field, comparison }) => ({ field, ...subject, ...comparison }));
const plainTest = fc
  .record({
    field: numberField,
    comparison: fc.oneof(
      fc.tuple(fc.constantFrom(...ORDERINGS, 'equal'), operand).map(([name, value]) => ({ [name]: value })),
      fc.array(anyNumber, { minLength: 1, maxLength: 4 }).map((items) => ({ in: items })),
      fc
        .tuple(fc.constantFrom('crossed_above', 'crossed_below'), operand, fc.integer({ min: 1, max: 5 }))
        .map(([name, value, within_days]) => ({ [name]: value, within_days })),
      fc.boolean().map((is_null) => ({ is_null })),
    ),
  })
  .map(({ field, comparison }) => ({ field, ...comparison }));
const wordTest = (field: string, words: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...words).map((equal) => ({ field, equal })),
    fc.subarray([...words], { minLength: 1 }).map((items) => ({ field, in: items })),
    fc.boolean().map((is_null) => ({ field, is_null })),
  );
const test = fc.oneof(
  { weight: 3, arbitrary: measuredTest },
  { weight: 3, arbitrary: plainTest },
  wordTest('sector', SECTORS),
  wordTest('regime', FIELDS.get('regime')!.values!),
  fc.boolean().map((equal) => ({ field: 'is_liquid', equal })),
) as fc.Arbitrary<Condition>;

/** Conditions in normal form, a few levels deep. */
const condition = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    test,
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((any) => ({ any })),
    tie('node').map((not) => ({ not })),
  ),
})).node;

const sort = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(...FIELDS.keys()),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { selector: ({ field }) => field, minLength: 1, maxLength: LIMITS.sortKeys },
);

/** Rules in normal form. */
export const arbitraryRules: fc.Arbitrary<Rules> = fc.record(
  { where: condition, sort, limit: fc.integer({ min: 1, max: 5 }) },
  { requiredKeys: [] },
);
