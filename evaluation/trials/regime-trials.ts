import { superiorityOver } from '#quant/learning/validation/superiority.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { REGIME_RULES } from '#models/regime-adaptive/selection.ts';
import type { TrialDay } from './trial-day.ts';
import type { Trial } from './trials.ts';

/** Weights of the regime's style in model A's score to try. */
const SHARES = [0.02, 0.1, 0.2, 0.3];

/** The names that a regime keeps, by ranks of -1 to 1. */
const GATES: Readonly<Record<Regime, (rank: (feature: string) => number) => boolean>> = {
  BULL: (rank) => rank('max_60') >= -0.5,
  SIDEWAYS: (rank) => rank('bollinger_place') <= 0.5,
  BEAR: (rank) => rank('volatility_60') <= 0.5,
};

export const REGIME_TRIALS: readonly Trial[] = [
  { name: 'as in use', change: 'nothing', scoresOf: probabilities },
  ...SHARES.map((share): Trial => ({
    name: `style ${share}`,
    change: `the regime's style decides ${share} of the score`,
    scoresOf: (day) => styled(day, share, day.regime),
  })),
  {
    name: 'gate',
    change: 'names that the regime leaves out come last',
    scoresOf: (day) => gated(day, probabilities(day)),
  },
  {
    name: 'gate, style 0.1',
    change: 'both',
    scoresOf: (day) => gated(day, styled(day, 0.1, day.regime)),
  },
  ...(['BULL', 'SIDEWAYS', 'BEAR'] as const).flatMap((regime): Trial[] => [
    {
      name: `${regime}: no gate`,
      change: 'as in use on its days',
      scoresOf: probabilities,
      isOpen: (day) => day.regime === regime,
    },
    {
      name: `${regime}: gate`,
      change: 'the gate on its days',
      scoresOf: (day) => gated(day, probabilities(day)),
      isOpen: (day) => day.regime === regime,
    },
    {
      name: `${regime}: style 0.2`,
      change: 'the style on its days',
      scoresOf: (day) => styled(day, 0.2, day.regime),
      isOpen: (day) => day.regime === regime,
    },
  ]),
];

/** Probabilities of the current model without its calibration, 0 to 100. */
function probabilities(day: TrialDay): Float64Array {
  const ensemble = day.inUse();
  const chance = (score: number) => 1 / (1 + Math.exp(-score));
  const superiority = superiorityOver(chance(ensemble.baseScores[0]!));
  return day.score(ensemble).map((score) => superiority(chance(score)));
}

function styled(day: TrialDay, share: number, regime: Regime): Float64Array {
  const styles = new Float64Array(day.rows.length);
  for (const [name, weight] of Object.entries(REGIME_RULES[regime].style))
    ranks(day, name).forEach((rank, i) => (styles[i]! += weight * rank));
  return probabilities(day).map((one, i) => (1 - share) * one + share * 50 * (1 + styles[i]!));
}

function gated(day: TrialDay, scores: Float64Array): Float64Array {
  const read = new Map<string, Float32Array>();
  const ranksOf = (name: string) => {
    const found = read.get(name) ?? ranks(day, name);
    read.set(name, found);
    return found;
  };
  return scores.map((score, i) => (GATES[day.regime]((name) => ranksOf(name)[i]!) ? score : score - 1_000));
}

function ranks({ table, rows }: TrialDay, name: string): Float32Array {
  const out = new Float32Array(rows.length);
  table.read(table.feature(name), rows, out);
  return out;
}
