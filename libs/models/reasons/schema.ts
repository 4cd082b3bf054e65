import Type, { type Static } from 'typebox';
import type { Localised } from '#foundation/text/localised.ts';
import { named, nullable } from '#foundation/schema.ts';

/** Schemas for the reasons behind a name's number in results and explanations. */

/** Text for display: a localised value where a screen writes it, a string where a client reads it. */
export function words(description: string, example?: string) {
  return Type.Unsafe<Localised>(
    Type.String({
      description: `${description} For display, in the language of the reasons.`,
      ...(example !== undefined && { examples: [example] }),
    }),
  );
}

const LOG_ODDS = 'natural logarithm of the odds';

const featureLine = Type.Object({
  name: Type.String({ description: 'Name of the feature, as in `feature_names` of `diag.model`.' }),
  value: Type.Number({
    description:
      'Value that the model saw: for most features a rank among the stocks of the day, -1 to 1. Four ' +
      'decimals.',
  }),
  log_odds: Type.Number({
    description: `Contribution to the ${LOG_ODDS}, negative if it lowers them: the Shapley value of the feature.`,
  }),
});
export type FeatureLine = Static<typeof featureLine>;

const contributionLines = Type.Object(
  {
    base_value: Type.Number({
      description: `The ${LOG_ODDS} of a stock about which nothing is known: the average over the training data.`,
    }),
    features: Type.Array(featureLine, {
      description:
        'All features, largest contributions first. With `base_value` they sum to the log-odds that the ' +
        'trees give.',
    }),
    calibration: nullable(
      Type.Number(),
      'Amount that calibration adds to the sum of the lines above. Null if a chance of 0 or 1 has no ' +
        'log-odds.',
    ),
    log_odds: nullable(Type.Number(), 'Sum of the lines above: the log-odds of `win_chance_pct`.'),
    win_chance_pct: nullable(
      Type.Number(),
      'Chance that corresponds to these log-odds, percent, one decimal.',
    ),
    base_rate_pct: nullable(
      Type.Number(),
      'Usual chance: the base rate that `probability` compares this chance with, percent. Null without a model.',
    ),
    scale: nullable(
      Type.Number(),
      'Difference from `win_chance_pct` to `probability`, points, added by comparing twenty trades with ' +
        'the base rate.',
    ),
    probability: Type.Number({ description: 'Probability shown.' }),
  },
  {
    description:
      'Explanation of the probability: path-dependent TreeSHAP (Lundberg et al. 2020) of the same trees ' +
      'as in the ONNX file, followed by calibration and scale as separate lines, up to the number shown.',
  },
);
export type ContributionLines = Static<typeof contributionLines>;
export const Contributions = named('Contributions', contributionLines);

export const ContributionsOrNone = nullable(
  Contributions,
  'Contributions of the features. Null if the run learnt nothing.',
);

/** The number of reason sentences of a pick. */
export const REASON_COUNT = 5;

export const Reasons = Type.Array(Type.String(), {
  maxItems: REASON_COUNT,
  description:
    'The five largest contributions in short sentences, largest first: what the model looked at, and ' +
    'whether it raised or lowered the chance. For a chance to win, the first is the largest that raised it, ' +
    'or says that none did. They describe a model and are not advice. In Bahasa Indonesia, or in English ' +
    'with `Accept-Language: en`. Empty if nothing was trained.',
});

export const Notice = Type.String({
  description:
    'Caution of the model, if it needs one, meaning of the number of a pick, how often such stocks won, and a ' +
    'statement that it is not a recommendation. Show it wherever you show picks. In the language of the reasons.',
});
