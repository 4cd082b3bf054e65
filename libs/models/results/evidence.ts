type Statistic = 'excess_net_return_pct' | 'lift' | 'brier_skill_pct';

/** A figure with its 95 % interval. */
interface Measured {
  statistic: Statistic;
  value: number;
  low: number;
  high: number;
  from: string;
  to: string;
  /** Of picks: how their positions were sold. */
  exits?: 'any_day' | 'waits_for_bids';
  /** What a pick returned for itself, after costs, if it was published for the span. */
  net_return_pct?: number;
  net_return_verdict?: 'gain' | 'not_shown' | 'loss';
}

/** What is known of the worth of a model's picks or forecasts, as the message of the same name. */
export interface Evidence extends Measured {
  source: 'walk_forward' | 'forward_record';
  market: 'real';
  verdict: 'better_than_chance' | 'not_shown' | 'worse';
}

/**
 * The 80 weeks that nobody who chose features or parameters had seen: real bars of stocks that still list. These figures are from
 * before exits waited for bids.
 */
const UNSEEN = { from: '2025-02-01', to: '2026-08-21', exits: 'any_day' } as const;
/** The span of docs/models.md, which chose features and parameters too. */
const KNOWN = { from: '2022-01-01', to: '2024-06-28' };

/**
 * What a pick of each model was worth: the net return of a pick less that of the average stock on the same days, or the lift
 * where only that was measured; for forecasts the Brier skill. Broker rows were generated. docs/models.md has the same figures.
 */
const MEASURED: Record<string, Measured> = {
  regime_adaptive_v6: { ...excess(0.95, 0.53, 1.4), ...UNSEEN, ...itself(0.57) },
  gann_classic_v7: { statistic: 'lift', value: 1.09, low: 0.94, high: 1.23, ...UNSEEN },
  gross_alpha_v10: { ...excess(0.82, 0.26, 1.38), ...UNSEEN, ...itself(0.52) },
  confluence_filter: { ...excess(-0.47, -0.75, -0.19), ...UNSEEN },
  recovery_v4: { statistic: 'brier_skill_pct', value: 4.62, low: 3.99, high: 5.26, ...KNOWN },
  model_f_combined: { ...excess(0.75, 0.21, 1.33), ...UNSEEN, ...itself(0.52) },
};

function excess(value: number, low: number, high: number) {
  return { statistic: 'excess_net_return_pct', value, low, high } as const;
}

/** The net return of a pick for itself. The interval of each one published holds 0. */
function itself(net_return_pct: number) {
  return { net_return_pct, net_return_verdict: 'not_shown' } as const;
}

/** The value of a statistic when picks or forecasts are no better than chance. */
const BY_CHANCE: Record<Statistic, number> = { excess_net_return_pct: 0, lift: 1, brier_skill_pct: 0 };

/** The same rule for what picks returned for themselves. */
export function netReturnVerdictOf({
  low,
  high,
}: Pick<Measured, 'low' | 'high'>): 'gain' | 'not_shown' | 'loss' {
  if (low > 0) return 'gain';
  return high < 0 ? 'loss' : 'not_shown';
}

/** The one rule of verdicts: a figure shows something only if its whole interval lies on one side of chance. */
export function verdictOf({
  statistic,
  low,
  high,
}: Pick<Measured, 'statistic' | 'low' | 'high'>): Evidence['verdict'] {
  if (low > BY_CHANCE[statistic]) return 'better_than_chance';
  return high < BY_CHANCE[statistic] ? 'worse' : 'not_shown';
}

/** What the walk-forward evaluations say of a model's worth; undefined for a model that was not measured. Always of the real market. */
export function walkForwardEvidence(modelId: string): Evidence | undefined {
  const measured = MEASURED[modelId];
  return measured && { source: 'walk_forward', market: 'real', ...measured, verdict: verdictOf(measured) };
}
