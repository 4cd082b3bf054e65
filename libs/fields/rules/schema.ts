import Type, { type TSchema } from 'typebox';
import {
  COMPARISONS,
  CROSSINGS,
  LIMITS,
  MEASURES,
  ORDERINGS,
  ORDERS,
  type Comparison,
  type Condition,
  type Rules,
} from './rules.ts';

/**
 * JSON Schemas of the rules' JSON form, for validating requests and for documents. They know neither the fields nor what fits
 * their types: `readRules` checks everything, and names the mistake better. Everything that it accepts fits one of them.
 */

/** Conditions contain conditions, so they refer to themselves by this id. */
export const CONDITION_ID = 'RuleCondition';

const words = (options: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...options], description });
const Field = Type.String({ description: 'Name of a field of the catalogue.', examples: ['rsi_14'] });
const Word = Type.String({ maxLength: LIMITS.wordLength });
const closed = { additionalProperties: false } as const;

const Scaled = Type.Object(
  { field: Field, times: Type.Optional(Type.Number({ default: 1 })) },
  { ...closed, description: 'Another field of the same stock and day, multiplied.' },
);
const operand = (description: string, ...more: TSchema[]) =>
  Type.Union([Type.Number(), Scaled, ...more], { description });

const COMPARISON_SCHEMAS: Readonly<Record<Comparison, TSchema>> = {
  below: operand('Less than this.'),
  at_most: operand('This or less.'),
  at_least: operand('This or more.'),
  above: operand('More than this.'),
  equal: operand('Exactly this.', Word, Type.Boolean()),
  between: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: 'From the first to the second, both included.',
  }),
  in: Type.Array(Type.Union([Word, Type.Number()]), {
    minItems: 1,
    maxItems: LIMITS.items,
    description: 'One of these.',
  }),
  crossed_above: operand(
    'Above this on one of the last `within_days` exchange days, and at or below it on the exchange day before.',
  ),
  crossed_below: operand(
    'Below this on one of the last `within_days` exchange days, and at or above it on the exchange day before.',
  ),
  is_null: Type.Boolean({ description: 'Whether the value is missing.' }),
};

/** Comparisons of a field that is a number, or of a measure of it. */
const MEASURED = [...ORDERINGS, 'equal', 'between'] as const;

const SUBJECT = {
  field: Field,
  as: Type.Optional(
    words(
      MEASURES,
      `What to compare instead of the value, in ${MEASURED.join(', ')}. ` +
        '`rank`: place among the liquid stocks of the day, 1 for the largest value; `bottom_rank`: 1 for the smallest. ' +
        '`percentile`: share of the liquid stocks of the day with a smaller value, ties counted half, 0 to 100. ' +
        '`change`: value less the value `days` exchange days before; `change_pct`: the same in percent of the earlier value.',
    ),
  ),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.changeDays,
      description: 'Exchange days of `change` and `change_pct`.',
    }),
  ),
};

const TestSchema = Type.Unsafe<Condition>({
  type: 'object',
  description: `A comparison of one field: exactly one of ${COMPARISONS.join(', ')}.`,
  properties: {
    ...SUBJECT,
    ...COMPARISON_SCHEMAS,
    within_days: Type.Integer({
      minimum: 1,
      maximum: LIMITS.withinDays,
      default: 1,
      description: `Exchange days of ${CROSSINGS.join(' and ')}.`,
    }),
  },
  required: ['field'],
  oneOf: COMPARISONS.map((name) => ({ required: [name] })),
  ...closed,
});

const Inner = Type.Unsafe<Condition>({ $ref: CONDITION_ID });
const parts = (description: string) =>
  Type.Array(Inner, { minItems: 1, maxItems: LIMITS.tests, description });

export const ConditionSchema = Type.Unsafe<Condition>({
  $id: CONDITION_ID,
  description:
    'What a stock must meet. A comparison with a missing value is neither met nor failed, and `not` does not change that: a ' +
    'stock passes only if the whole is met.',
  anyOf: [
    TestSchema,
    Type.Object({ all: parts('Every one of these.') }, closed),
    Type.Object({ any: parts('At least one of these.') }, closed),
    Type.Object({ not: Inner }, closed),
  ],
});

export const RulesSchema = Type.Unsafe<Partial<Rules>>(
  Type.Object(
    {
      where: Type.Optional(ConditionSchema),
      sort: Type.Optional(
        Type.Array(
          Type.Object(
            { field: Field, order: Type.Optional(words(ORDERS, 'Missing values come last.')) },
            closed,
          ),
          { maxItems: LIMITS.sortKeys, description: 'By ticker where these tie.' },
        ),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LIMITS.limit, description: 'Number of stocks; all without it.' }),
      ),
    },
    { ...closed, description: 'Which stocks pass, in which order, and how many of them.' },
  ),
);
