import Type, { type Static } from 'typebox';
import type { Localised } from '#shared/text/localised.ts';
import { named, nullable } from '#shared/schema.ts';

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
      'What the model saw: for most features a place among the names of the day, -1 to 1. Four decimals.',
  }),
  log_odds: Type.Number({
    description: `What it adds to the ${LOG_ODDS}, below 0 for what it takes off: its Shapley value.`,
  }),
});
export type FeatureLine = Static<typeof featureLine>;

const contributionLines = Type.Object(
  {
    base_value: Type.Number({
      description: `The ${LOG_ODDS} of a name of which nothing is known: the mean over what was learnt from.`,
    }),
    features: Type.Array(featureLine, {
      description:
        'Every feature, the largest contributions first. With `base_value` they sum to the log-odds that the trees give.',
    }),
    calibration: nullable(
      Type.Number(),
      'What calibration adds to the sum of the lines above; null where a chance of 0 or 1 has no log-odds.',
    ),
    log_odds: nullable(Type.Number(), 'The sum of the lines above: the log-odds of `win_chance_pct`.'),
    win_chance_pct: nullable(Type.Number(), 'The chance that these log-odds are, percent, one decimal.'),
    scale: nullable(
      Type.Number(),
      'From `win_chance_pct` to `probability`, points: what comparing twenty trades with the base rate adds.',
    ),
    probability: Type.Number({ description: 'The number shown.' }),
  },
  {
    description:
      'Why the model gives this probability: path-dependent TreeSHAP (Lundberg et al. 2020) of the very trees in the ' +
      'ONNX file, then calibration and scale as lines of their own, up to the number shown.',
  },
);
export type ContributionLines = Static<typeof contributionLines>;
export const Contributions = named('Contributions', contributionLines);

export const ContributionsOrNone = nullable(Contributions, 'Null of a run that learnt nothing.');

/** The number of reason sentences of a pick. */
export const REASON_COUNT = 5;

export const Reasons = Type.Array(Type.String(), {
  maxItems: REASON_COUNT,
  description:
    'The five largest contributions in short sentences, largest first: what the model looked at and whether that raised or ' +
    'lowered the chance. They describe a model and advise nothing. In Bahasa Indonesia, or in English with ' +
    '`Accept-Language: en`; empty where nothing was learnt.',
});

export const Notice = Type.String({
  description:
    'What the number of a pick is, how often such names won, and that it is no recommendation: show it wherever you show ' +
    'picks. In the language of the reasons.',
});
