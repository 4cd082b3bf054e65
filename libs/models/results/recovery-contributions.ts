import Type, { type Static } from 'typebox';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { named } from '#foundation/schema.ts';
import { each, number } from './results.ts';

const ofBuckets = (description: string) =>
  Type.Object(
    each(RETURN_BUCKETS, (name) => number(`Value for ${name}.`)),
    { description },
  );

const contributions = Type.Object(
  {
    base_values: ofBuckets(
      'Scores of a stock about which nothing is known: the average over the training data.',
    ),
    features: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the feature.' }),
        value: number('Value that the model saw. Four decimals.'),
        log_odds: ofBuckets('Contribution to each score: the Shapley values of the feature.'),
      }),
      {
        description:
          'All features. Those that move the forecast most between down and up, in either direction, come ' +
          'first.',
      },
    ),
    temperature: number('Number by which calibration divides the sums of the lines above.'),
    chances_pct: ofBuckets(
      'Softmax of these quotients, percent. The trajectory shown differs if a price is so close to the ' +
        'floor of its board that it can seldom or never fall as far.',
    ),
  },
  {
    description:
      'Explanation of the chances: path-dependent TreeSHAP (Lundberg et al. 2020) of each of the five ' +
      'scores. The scores are natural logarithms of chances, up to a constant that they all share.',
  },
);
export type RecoveryContributions = Static<typeof contributions>;
export const PositionContributions = named('RecoveryContributions', contributions);
