import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { ServiceError } from '#shared/service-error.ts';

const DATASET = { dataset_version: 'synthetic-20240628-1', broker_data: 'none', adjusted: true };
const DAY = '2024-06-28';
const NO_BROKERS = { top_buyer: undefined, top_seller: undefined };

const traded = {
  close: 100,
  nego_value: 2_200,
  nego_volume: 20,
  nego_frequency: 1,
  nego_avg_price: 110,
  nego_premium: 0.1,
  outlier: false,
};
const untraded = {
  close: 100,
  nego_value: 0,
  nego_volume: 0,
  nego_frequency: 0,
  outlier: false,
  nego_avg_price: undefined,
  nego_premium: undefined,
  nego_to_regular_pct: undefined,
};
const features = { ma5: 9_000.5 };
const period = {
  return_pct: 5,
  high: 110,
  low: 90,
  avg_value: 1e9,
  max_drawdown_pct: -3,
  foreign_net_value: -1e6,
  bandar_net_value: undefined,
};

/** What the gateway's tests need of negotiated trading and of comparisons. */
export const negoStandIns: Pick<
  Handlers<MarketDataServiceService>,
  'compare' | 'getNego' | 'scanNego' | 'scanNegoWindow'
> = {
  compare: async ({ tickers, days }) => {
    if (tickers.length > 10) throw new ServiceError('too_many_tickers', 'At most 10 tickers.');
    const stock = { name: 'Bank', sector: undefined, board: undefined, date: DAY, is_partial: false };
    const lastTrade = { last_traded_date: DAY, traded_today: true };
    const snapshots = tickers.map((ticker) => ({
      ticker,
      ...stock,
      ...lastTrade,
      close: 100,
      change_pct: 0.5,
      period,
      features: features as never,
    }));
    const ranked = { tickers };
    const ranking = {
      return_pct: ranked,
      rsi14: ranked,
      volume_ratio_20: ranked,
      bandar_net_value_5d: undefined,
    };
    return { ...DATASET, date: DAY, days, tickers, snapshots, ranking, missing: [] };
  },
  getNego: async ({ days }) => ({
    ...DATASET,
    ticker: 'BBCA',
    days,
    items: [
      { date: '2024-06-27', ...untraded },
      { date: DAY, ...traded, nego_to_regular_pct: 2.5 },
    ],
    summary: { total_value: 2_200, days_active: 1, avg_premium: 0.1 },
  }),
  scanNego: async ({ min_val }) => ({
    ...DATASET,
    date: DAY,
    min_val,
    count: 1,
    items: [{ ticker: 'BBCA', ...traded, regular_value: 88_000, ...NO_BROKERS }],
  }),
  scanNegoWindow: async ({ days, min_val }) => {
    const sums = { days_active: 1, total_value: 2_200, max_day_value: 2_200, last_date: DAY, avg_close: 100 };
    const item = { ticker: 'BBCA', ...traded, regular_value: 88_000, ...sums, ...NO_BROKERS };
    const window = { days, date_from: '2024-06-15', date_to: DAY, trading_days: 9 };
    return { ...DATASET, ...window, min_val, count: 1, items: [item] };
  },
};
