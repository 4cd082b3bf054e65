import Type, { type Static } from 'typebox';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { named } from '#shared/schema.ts';
import { each, number } from '../results.ts';

const ofBuckets = (description: string) =>
  Type.Object(
    each(RETURN_BUCKETS, (name) => number(`Of ${name}.`)),
    { description },
  );

const contributions = Type.Object(
  {
    base_values: ofBuckets(
      'Scores of a stock of which nothing is known: the mean over what was learnt from.',
    ),
    features: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the feature.' }),
        value: number('What the model saw. Four decimals.'),
        log_odds: ofBuckets('What it adds to each score: its Shapley values.'),
      }),
      { description: 'Every feature, first what moves the forecast most from down to up or back.' },
    ),
    temperature: number('What calibration divides the sums of the lines above by.'),
    chances_pct: ofBuckets(
      'The softmax of that, percent. The trajectory shown differs where a price is so near the lowest of the exchange ' +
        'that it cannot fall as far.',
    ),
  },
  {
    description:
      'Why the model gives these chances: path-dependent TreeSHAP (Lundberg et al. 2020) of each of the five scores, which ' +
      'are natural logarithms of chances up to a constant that all share.',
  },
);
export type RecoveryContributions = Static<typeof contributions>;
export const PositionContributions = named('RecoveryContributions', contributions);
