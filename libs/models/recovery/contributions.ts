import { calibrated } from '#quant/learning/calibration/calibration.ts';
import { sumOf } from '#quant/learning/contributions/tree-contributions.ts';
import type { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { type ExplainedModel, featureLines, logOdds } from '../reasons/contribution-lines.ts';
import type { Localised } from '#foundation/text/localised.ts';
import { type Effects, reasonsOf } from '../reasons/sentences.ts';
import type { RecoveryContributions } from '../results/recovery-contributions.ts';

/** The direction in which a contribution moves a forecast. */
const EFFECTS: Effects = {
  id: {
    raised: 'dan menggeser perkiraan ke arah naik',
    lowered: 'dan menggeser perkiraan ke arah turun',
    left: 'dan tidak menggeser perkiraan',
  },
  en: {
    raised: 'and moved the forecast up',
    lowered: 'and moved the forecast down',
    left: 'and did not move the forecast',
  },
};

/**
 * Weight of each class in the direction: half for each of the two on a side, so the result is the mean of up minus the mean of
 * down.
 */
const TILT: Record<(typeof RETURN_BUCKETS)[number], number> = {
  CRASH: -0.5,
  DECLINE: -0.5,
  SIDEWAYS: 0,
  CLIMB: 0.5,
  RALLY: 0.5,
};

interface ForecastReasons {
  contributions: RecoveryContributions;
  /** The contributions that move the forecast up or down the most. */
  reasons: Localised[];
}

/** The reasons for a row's chances: how much each feature adds to the score of each class. */
export function forecastReasons(
  { trees, calibration }: ExplainedModel,
  matrix: FeatureMatrix,
  row: number,
): ForecastReasons {
  const ofClasses = trees.of(matrix, row);
  const tilt = Float64Array.from(matrix.names, (_, f) =>
    RETURN_BUCKETS.reduce((sum, bucket, k) => sum + TILT[bucket] * ofClasses[k]!.ofFeature[f]!, 0),
  );
  const largestFirst = featureLines(matrix, row, tilt);
  const chances = calibrated(calibration, ofClasses.map(sumOf), ofClasses.length);
  return {
    contributions: {
      base_values: byBucket((k) => logOdds(ofClasses[k]!.base)),
      features: largestFirst.map(({ name, value }) => {
        const f = matrix.names.indexOf(name);
        return { name, value, log_odds: byBucket((k) => logOdds(ofClasses[k]!.ofFeature[f]!)) };
      }),
      temperature: calibration.kind === 'softmax' ? calibration.temperature : 1,
      chances_pct: byBucket((k) => toDecimals(100 * chances[k]!, 1)),
    },
    reasons: reasonsOf(largestFirst, EFFECTS),
  };
}

function byBucket(of: (index: number) => number) {
  return Object.fromEntries(RETURN_BUCKETS.map((bucket, k) => [bucket, of(k)])) as Record<
    (typeof RETURN_BUCKETS)[number],
    number
  >;
}
