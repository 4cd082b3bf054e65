/** Parameters of `confluence_filter`, in the types and bounds the models service enforces. */
export interface ConfluenceParams {
  lookback: number;
  min_signals: number;
  min_price: number;
  min_daily_val: number;
  vol_ratio_min: number;
  seller_filter: boolean;
  seller_lookback: number;
  seller_dominance: number;
  max_picks: number;
}
