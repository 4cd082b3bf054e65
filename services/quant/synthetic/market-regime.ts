import type { Random } from './random.ts';

export const REGIMES = ['bull', 'sideways', 'bear'] as const;
export type Regime = (typeof REGIMES)[number];

/** Mean daily log return and its deviation, and how much busier than usual (log of turnover) the market is. */
export const REGIME_TRAITS: Record<Regime, { drift: number; deviation: number; activity: number }> = {
  bull: { drift: 0.0011, deviation: 0.007, activity: 0.15 },
  sideways: { drift: 0, deviation: 0.0075, activity: -0.05 },
  bear: { drift: -0.0014, deviation: 0.0125, activity: -0.1 },
};

/** Probabilities of the next day's regime: stretches last 80, 60 and 40 days on average. */
export const REGIME_TRANSITIONS: Record<Regime, Record<Regime, number>> = {
  bull: { bull: 79 / 80, sideways: 0.75 / 80, bear: 0.25 / 80 },
  sideways: { bull: 0.5 / 60, sideways: 59 / 60, bear: 0.5 / 60 },
  bear: { bull: 0.4 / 40, sideways: 0.6 / 40, bear: 39 / 40 },
};

/** A path of the regime chain, one entry a day, starting sideways. */
export function regimePath(random: Random, days: number): Regime[] {
  const path: Regime[] = [];
  let regime: Regime = 'sideways';
  for (let day = 0; day < days; day++) {
    regime = nextRegime(random, regime);
    path.push(regime);
  }
  return path;
}

function nextRegime(random: Random, from: Regime): Regime {
  let left = random.uniform();
  for (const regime of REGIMES) {
    left -= REGIME_TRANSITIONS[from][regime];
    if (left < 0) return regime;
  }
  return from;
}
