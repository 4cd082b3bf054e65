type Statistic = 'excess_net_return_pct' | 'lift' | 'brier_skill_pct';

/** A walk-forward figure with its 95 % interval. */
interface Measured {
  statistic: Statistic;
  value: number;
  low: number;
  high: number;
  from: string;
  to: string;
}

/** What is known of the worth of a model's picks or forecasts, as the message of the same name. */
export interface Evidence extends Measured {
  source: 'walk_forward';
  market: 'real';
  verdict: 'better_than_chance' | 'not_shown' | 'worse';
}

/** The 80 weeks that nobody who chose features or parameters had seen: real bars of stocks that still list. */
const UNSEEN = { from: '2025-02-01', to: '2026-08-21' };
/** The span of docs/models.md, which chose features and parameters too. */
const KNOWN = { from: '2022-01-01', to: '2024-06-28' };

/**
 * What a pick of each model was worth: the net return of a pick less that of the average stock on the same days, or the lift
 * where only that was measured; for forecasts the Brier skill. Broker rows were generated.
 */
const MEASURED: Record<string, Measured> = {
  regime_adaptive_v6: { statistic: 'excess_net_return_pct', value: 0.95, low: 0.53, high: 1.4, ...UNSEEN },
  gann_classic_v7: { statistic: 'lift', value: 1.09, low: 0.94, high: 1.23, ...UNSEEN },
  gross_alpha_v10: { statistic: 'excess_net_return_pct', value: 0.82, low: 0.26, high: 1.38, ...UNSEEN },
  confluence_filter: { statistic: 'excess_net_return_pct', value: -0.47, low: -0.75, high: -0.19, ...UNSEEN },
  recovery_v4: { statistic: 'brier_skill_pct', value: 4.6, low: 3.93, high: 5.24, ...KNOWN },
  model_f_combined: { statistic: 'excess_net_return_pct', value: 0.75, low: 0.21, high: 1.33, ...UNSEEN },
};

/** The value of a statistic when picks or forecasts are no better than chance. */
const BY_CHANCE: Record<Statistic, number> = { excess_net_return_pct: 0, lift: 1, brier_skill_pct: 0 };

/** The one rule of verdicts: a figure shows something only if its whole interval lies on one side of chance. */
export function verdictOf({
  statistic,
  low,
  high,
}: Pick<Measured, 'statistic' | 'low' | 'high'>): Evidence['verdict'] {
  if (low > BY_CHANCE[statistic]) return 'better_than_chance';
  return high < BY_CHANCE[statistic] ? 'worse' : 'not_shown';
}

/** What is known of a model's worth; undefined for a model that was not measured. Always of the real market. */
export function evidenceOf(modelId: string): Evidence | undefined {
  const measured = MEASURED[modelId];
  return measured && { source: 'walk_forward', market: 'real', ...measured, verdict: verdictOf(measured) };
}
