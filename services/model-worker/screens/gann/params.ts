import type { CycleSettings } from '#quant/cycle/cycle-market.ts';

/** Parameters of `gann_classic_v7`, in the types and bounds the models service enforces. */
export interface GannParams {
  min_price: number;
  min_daily_val: number;
  pivot_window: number;
  cycle_tolerance: number;
  price_tolerance_pct: number;
  min_cycle_score: number;
  /** Days; in any order, repeated or none at all. */
  cycles: number[];
  use_ml: boolean;
  min_probability: number;
  target_gain: number;
  stop_loss: number;
  max_picks: number;
}

export function cycleSettings({ cycles, cycle_tolerance, price_tolerance_pct }: GannParams): CycleSettings {
  return { cycles, cycleTolerance: cycle_tolerance, priceTolerancePct: price_tolerance_pct };
}
