import Type, { type Static } from 'typebox';
import { DatasetVersion, named, nullable } from '#shared/schema.ts';
import { Contributions, Notice, Reasons } from '../reasons/schema.ts';
import { PositionContributions } from '../recovery/contributions-schema.ts';
import { asOf, ticker } from '../results.ts';

const shortfall = Type.Object({
  param: Type.String({ description: 'The parameter that decides.', examples: ['min_probability'] }),
  value: nullable(Type.Number(), 'What the name has; null where that is no number.'),
  threshold: nullable(Type.Number(), 'What it is compared with; null where that is no number.'),
  changes: Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Boolean()]), {
    description: 'Parameters that let just this name pass the step, the others as they are.',
    examples: [{ min_probability: 58 }],
  }),
  allowed: Type.Boolean({
    description: 'Whether a run takes these values, or they lie outside their bounds.',
  }),
});

const explanation = Type.Object(
  {
    model_id: Type.String({ description: 'Model id.', examples: ['model_f_combined'] }),
    as_of: asOf,
    ticker,
    picked: Type.Boolean({ description: 'Whether the result has it.' }),
    place: nullable(
      Type.Integer(),
      'Its place, from 1, among the names that passed every step and were ranked; null for others.',
    ),
    fell_at: nullable(
      Type.String(),
      'The one step of the funnel that it did not pass, by the name of its count; null of a pick.',
    ),
    steps: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'Name of the step, as in the funnel.',
          examples: ['after_probability'],
        }),
        passed: Type.Boolean({ description: 'Whether the name passed it.' }),
      }),
      { description: 'The steps that it came to, in order, the last one that of `fell_at`.' },
    ),
    shortfalls: Type.Array(shortfall, {
      description: 'How far it is from passing: everything that it lacks at `fell_at`; empty of a pick.',
    }),
    message: Type.String({ description: 'The same in a sentence, in the language of the reasons.' }),
    contributions: Type.Union([Contributions, PositionContributions, Type.Null()], {
      description:
        'As in the full result, for picks and all others: of recovery_v4 those of each class; null of a run that learnt ' +
        'nothing, as confluence_filter never does, and of a position that could not be judged.',
    }),
    reasons: Reasons,
    notice: Notice,
    dataset_version: DatasetVersion,
  },
  { description: 'What a run made of one name.' },
);
export type Explanation = Static<typeof explanation>;
export const Explanation = named('Explanation', explanation);
