import type { Regime } from '#quant/regime/regime.ts';
import type { RegimeAdaptiveParams } from './params.ts';

/** How the screen adapts to a condition of the market. */
export interface RegimeRule {
  /**
   * What suits the regime: features of a stock and what each counts, below 0 for one that should be low. The absolute
   * weights add up to 1.
   */
  style: Readonly<Record<string, number>>;
  /** Points that `min_probability` is raised by. */
  raisedByPct: number;
  /** Share of `max_picks` that may be picked. */
  pickShare: number;
}

export const REGIME_RULES: Readonly<Record<Regime, RegimeRule>> = {
  /** Leaders that break out on volume. */
  BULL: { style: { roc_20: 0.4, max_60: 0.4, volume_20: 0.2 }, raisedByPct: 0, pickShare: 1 },
  /** Names at the lower edge of their band that foreigners do not leave. */
  SIDEWAYS: {
    style: { bollinger_place: -0.4, rsi_14: -0.3, foreign_net_5: 0.3 },
    raisedByPct: 0,
    pickShare: 1,
  },
  /** Calm names that hold up better than the market and are being accumulated. */
  BEAR: { style: { volatility_60: -0.4, roc_20: 0.3, foreign_net_20: 0.3 }, raisedByPct: 5, pickShare: 0.5 },
};

/** The regime that a run uses on a day: the one that was read, unless the caller names one. */
export function regimeUsed(asked: RegimeAdaptiveParams['regime'], read: Regime): Regime {
  return asked === 'auto' ? read : (asked.toUpperCase() as Regime);
}

/** What the run's parameters come to in a regime. */
export function effective(
  params: Pick<RegimeAdaptiveParams, 'min_probability' | 'max_picks'>,
  regime: Regime,
) {
  const { raisedByPct, pickShare } = REGIME_RULES[regime];
  return {
    minProbability: Math.min(100, params.min_probability + raisedByPct),
    maxPicks: Math.ceil(params.max_picks * pickShare),
  };
}
