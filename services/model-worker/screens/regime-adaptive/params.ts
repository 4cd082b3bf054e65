/** Parameters of `regime_adaptive_v6`, in the types and bounds the models service enforces. */
export interface RegimeAdaptiveParams {
  regime: 'auto' | 'bull' | 'sideways' | 'bear';
  min_price: number;
  min_daily_val: number;
  min_probability: number;
  target_gain: number;
  stop_loss: number;
  horizon_days: number;
  train_days: number;
  max_picks: number;
}
