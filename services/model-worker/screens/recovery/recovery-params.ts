/** A position as it was sent: exactly one of the two numbers. */
export type PositionInput =
  | { ticker: string; pnl_input: number; avg_price_input?: never }
  | { ticker: string; avg_price_input: number; pnl_input?: never };

/** Parameters of `recovery_v4`, in the types and bounds the models service enforces. */
export interface RecoveryParams {
  analysis_date: string;
  /** Trading days. */
  horizon: 10 | 20 | 30 | 40;
  positions: PositionInput[];
}
