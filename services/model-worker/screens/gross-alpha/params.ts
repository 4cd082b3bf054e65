import type { BrokerGroup } from '#quant/gross-flow/broker-group.ts';

/** Parameters of `gross_alpha_v10`, in the types and bounds the models service enforces. */
export interface GrossAlphaParams {
  min_price: number;
  min_daily_val: number;
  flow_window: number;
  broker_group: BrokerGroup;
  exclude_retail_led: boolean;
  min_probability: number;
  target_gain: number;
  stop_loss: number;
  train_days: number;
  max_picks: number;
}
