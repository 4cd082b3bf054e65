import type { ConfluenceParams } from '../confluence-params.ts';

/** Ways to put probability and signals together, in the order in which Compare All shows them. */
export const STRATEGIES = ['Inverse Signal', 'Gated', 'Hybrid Score', 'Intersection'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Parameters of `model_f_combined`, in the types and bounds the models service enforces. */
export interface CombinedParams {
  min_price: number;
  min_daily_val: number;
  min_probability: number;
  min_signals: number;
  prob_weight: number;
  signal_penalty: number;
  strategy: Strategy | 'Compare All';
  target_gain: number;
  stop_loss: number;
  max_picks: number;
}

/** What model F has no parameters for, it takes from model D as that is by default. */
const OF_MODEL_D = { lookback: 5, vol_ratio_min: 1.5, seller_lookback: 5, seller_dominance: 1.5 } as const;
export const { lookback: SIGNAL_LOOKBACK, vol_ratio_min: VOLUME_RATIO_MIN } = OF_MODEL_D;
export const SELLER_WINDOW = { days: OF_MODEL_D.seller_lookback, dominance: OF_MODEL_D.seller_dominance };

/** The run's floors as model D reads them. */
export function confluenceParams(
  { min_price, min_daily_val, min_signals, max_picks }: CombinedParams,
  sellerFilter: boolean,
): ConfluenceParams {
  return { ...OF_MODEL_D, min_price, min_daily_val, min_signals, max_picks, seller_filter: sellerFilter };
}

/**
 * How many names of the highest probability Intersection looks at. More than it may pick, or the second list would
 * hardly ever decide; few enough to be the best of the day.
 */
export function likeliestCount({ max_picks }: Pick<CombinedParams, 'max_picks'>): number {
  return 2 * max_picks;
}
