import Type, { type Static } from 'typebox';
import { DatasetVersion, named, nullable } from '#foundation/schema.ts';
import { Contributions, Notice, Reasons } from '../reasons/schema.ts';
import { PositionContributions } from '../results/recovery-contributions.ts';
import { asOf, ticker } from '../results/results.ts';

const shortfall = Type.Object({
  param: Type.String({ description: 'Name of the deciding parameter.', examples: ['min_probability'] }),
  value: nullable(Type.Number(), 'Value of the stock. Null if it is not a number.'),
  threshold: nullable(Type.Number(), 'Value with which it is compared. Null if it is not a number.'),
  changes: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
    description: 'Parameters that let this stock just pass the step, with the other parameters unchanged.',
    examples: [{ min_probability: 58 }],
  }),
  allowed: Type.Boolean({
    description: 'Whether a run accepts these values. False if they are out of bounds.',
  }),
});

const explanation = Type.Object(
  {
    model_id: Type.String({ description: 'Model id.', examples: ['model_f_combined'] }),
    as_of: asOf,
    ticker,
    picked: Type.Boolean({ description: 'Whether the stock is in the result.' }),
    place: nullable(
      Type.Integer(),
      'Rank of the stock, starting at 1, among the stocks that passed all steps and were ranked. Null for ' +
        'other stocks.',
    ),
    fell_at: nullable(
      Type.String(),
      'Step of the funnel that the stock did not pass, by the name of its count. Null for a pick.',
    ),
    steps: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'Name of the step, as in the funnel.',
          examples: ['after_probability'],
        }),
        passed: Type.Boolean({ description: 'Whether the stock passed the step.' }),
      }),
      { description: 'Steps that the stock reached, in order. The last one is that of `fell_at`.' },
    ),
    shortfalls: Type.Array(shortfall, {
      description:
        'Everything that the stock lacks to pass `fell_at`, and how far it is from passing. Empty for a ' +
        'pick.',
    }),
    message: Type.String({ description: 'The explanation in one sentence, in the language of the reasons.' }),
    contributions: Type.Union([Contributions, PositionContributions, Type.Null()], {
      description:
        'Contributions as in the full result, for picks and all other stocks. For recovery_v4, the ' +
        'contributions to each class. Null for a run that learnt nothing, as confluence_filter never ' +
        'does, and for a position that could not be judged.',
    }),
    reasons: Reasons,
    notice: Notice,
    dataset_version: DatasetVersion,
  },
  { description: 'How a run treated one stock.' },
);
export type Explanation = Static<typeof explanation>;
export const Explanation = named('Explanation', explanation);
