/** The id under which simulations run beside models. */
export const SIMULATION_ID = 'portfolio_simulation';

/** A simulation as the screens service has prepared it. */
export type SimulationParams = {
  /** What it follows: a screen, or a model. */
  screen_id?: string;
  model_id?: string;
  /** Days, YYYY-MM-DD. */
  from: string;
  to: string;
  capital_idr: number;
  max_positions: number;
  /** Percent of the equity, for each position. */
  position_pct: number;
  rebalance: string;
  /** Percent of the value traded in a stock on a day. */
  max_volume_pct: number;
  /** Fractions of the close. */
  target_gain: number;
  stop_loss: number;
  horizon_days: number;
  picks: {
    /** Every day at whose end orders are given, ascending, with its tickers, best first. */
    days: { as_of: string; tickers: string[] }[];
    trials: number;
    expected_best_sharpe: number;
    overfitting_pct?: number | undefined;
  };
};
