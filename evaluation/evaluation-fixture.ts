import type { Evaluation, PickEvaluation, RecoveryEvaluation } from './evaluation.ts';
import type { Estimate } from '#quant/statistics/block-bootstrap.ts';
import type { ChanceFigures } from './statistics/chance-figures.ts';
import type { PickFigures } from '#quant/statistics/pick-figures.ts';
import type { SkillFigures } from './statistics/skill-figures.ts';

/** Evaluations for the tests of reports. */

export const estimateOf = (value: number, low: number | null, high: number | null): Estimate => ({
  value,
  low,
  high,
});

export function pickFiguresOf(lift: Estimate, picks = 40): PickFigures {
  return {
    weeks: 52,
    weeks_with_picks: 20,
    picks,
    unfilled: 3,
    unsold: 1,
    win_rate: 0.312,
    base_rate: 0.244,
    lift,
    payoff: 1.81,
    net_return: estimateOf(-0.0123, -0.0211, -0.0034),
    excess_net_return: estimateOf(0.0045, -0.0012, 0.0101),
  };
}

const chances: ChanceFigures = {
  forecasts: 400,
  mean_chance: 0.251,
  win_rate: 0.243,
  calibration_error: 0.0213,
  auc: 0.5731,
  auc_within_week: 0.5612,
  reliability: [
    { from: 0.2, to: 0.25, weight: 300, forecast: 0.231, observed: 0.222 },
    { from: 0.25, to: 0.3, weight: 100, forecast: 0.272, observed: 0.301 },
  ],
};

export function pickModelOf(name: string, figures: PickFigures): PickEvaluation {
  return {
    kind: 'picks',
    model_id: 'some_model',
    name,
    params: { min_price: 500 },
    block_weeks: 6,
    figures,
    figures_at_close: { ...figures, net_return: estimateOf(-0.0021, -0.0101, 0.0061) },
    rank_ic: { days: 52, mean: estimateOf(0.041, 0.012, 0.069), positive: 0.62 },
    judged_by: { target_gain: 0.1, stop_loss: 0.05, horizon_days: 20 },
    runs: { weeks: 52, failed: [], median_ms: 612, longest_ms: 903 },
    by_year: [{ name: '2023', figures }],
    by_regime: [{ name: 'BULL', figures }],
    by_lower_limit: [{ name: '7 %', figures }],
    promised: { win_rate: 0.331, payoff: 1.92 },
    chances,
    chances_above_floors: chances,
    weeks: [],
  };
}

export function recoveryOf(skill: Estimate): RecoveryEvaluation {
  const figures: SkillFigures = {
    weeks: 52,
    forecasts: 9_000,
    came: [0.1, 0.2, 0.4, 0.2, 0.1],
    log_loss: 1.4321,
    climatology_log_loss: 1.4987,
    brier: 0.7123,
    climatology_brier: 0.7312,
    skill,
    skill_against_hindsight: 0.0111,
  };
  return {
    kind: 'recovery',
    model_id: 'recovery_v4',
    name: 'Model E: Portfolio Recovery',
    classes: ['CRASH', 'DECLINE', 'SIDEWAYS', 'CLIMB', 'RALLY'],
    horizons: [
      {
        horizon_days: 10,
        block_weeks: 3,
        figures,
        up: chances,
        runs: { weeks: 52, failed: [], median_ms: 700, longest_ms: 900 },
        by_year: [{ name: '2023', figures }],
        by_regime: [{ name: 'BEAR', figures }],
      },
    ],
  };
}

export function evaluationOf(models: Evaluation['models'], labels: string[] = []): Evaluation {
  return {
    format: 2,
    labels,
    command: 'make evaluate FROM=2023-01-01 TO=2023-12-31',
    models,
    evaluated_at: '2026-11-20T03:00:00.000Z',
    duration_seconds: 321,
    machine: 'Some machine × 2',
    dataset: {
      version: 'real-20240628-1',
      kind: 'real',
      source: 'bars.tar.gz',
      broker_data: 'none',
      first_date: '2019-07-29',
      last_date: '2024-06-28',
      trading_days: 1193,
      tickers: 931,
      bars: 925_488,
    },
    span: { from: '2023-01-01', to: '2023-12-31', weeks: 52 },
    bootstrap: { resamples: 2_000, seed: 1, level_pct: 95 },
  };
}
