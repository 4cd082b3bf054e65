import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Handlers } from '#shared/grpc/server.ts';

const DATASET = {
  dataset_version: 'synthetic-20240628-1',
  is_partial: false,
  broker_data: 'none',
  adjusted: true,
};
const POINT = {
  ticker: 'BBCA',
  date: '2024-06-28',
  signal: 'NEUTRAL',
  score: 1,
  factors: ['MA5 menembus MA20'],
  close: 9_000,
  ret_10d_pct: undefined,
  last_traded_date: undefined,
  traded_today: false,
};

const FLOW = {
  ticker: 'BBCA',
  close: 9_000,
  net_value: 2e9,
  net_shares: 220_000,
  avg_daily_value: 5e9,
  accum_days: 3,
  distrib_days: 1,
  days_with_data: 5,
  accum_day_ratio: 0.6,
  distrib_day_ratio: 0.2,
  net_to_value_pct: undefined,
  price_change_pct: undefined,
  last_day_net_value: undefined,
};

/** Overview, turning points and flows as the market-data service answers them, with nothing known that may be null. */
export const overviewStandIns = {
  getMarketOverview: async () => ({
    ...DATASET,
    date: '2024-06-28',
    total_stocks: 3,
    traded_stocks: 2,
    liquid_stocks: 0,
    pending_regime: undefined,
    days_to_confirm: undefined,
    regime: 'SIDEWAYS',
    regime_score: -12.5,
    foreign_net_value: -1e9,
    total_value: 5e9,
    breadth: { advancing: 1, declining: 1, unchanged: 0, above_ma20_pct: undefined },
    averages: { daily_return_pct: undefined, rsi: undefined },
    top_gainers: [{ ticker: 'BBCA', close: 9_000, change_pct: 1.25, value: 5e9 }],
    top_losers: [],
  }),
  getTurningPoint: async ({ lookback }) => ({ ...DATASET, lookback, turning_point: POINT }),
  listTurningPoints: async ({ lookback }) => ({
    ...DATASET,
    lookback,
    turning_points: [POINT],
    missing: ['NONE'],
  }),
  listFlows: async ({ flow_type, days, pattern, sort_by }) => ({
    ...DATASET,
    flow_type,
    days,
    pattern,
    sort_by,
    date_from: '2024-06-24',
    date_to: '2024-06-28',
    max_price_change_pct: 6,
    min_accum_day_ratio: undefined,
    count: 2,
    inflow: [FLOW],
    outflow: [{ ...FLOW, net_value: -2e9 }],
  }),
} satisfies Partial<Handlers<MarketDataServiceService>>;
