import type { BrokerTotals, MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { ServiceError } from '#shared/service-error.ts';
import { notNeeded } from './not-needed.ts';

const DAY = '2024-06-28';
const ADJUSTED = { adjusted: true, adjusted_to: DAY };
const DATASET = { dataset_version: 'synthetic-20240628-1', broker_data: 'none', ...ADJUSTED };
const OVERVIEW_DATASET = { ...DATASET, is_partial: false };
const BROKER_DATASET = { ...DATASET, broker_data: 'synthetic' };

/** @param quoteCalls receives the tickers of every call for quotes */
export function marketDataStandIn({
  quoteCalls,
}: {
  quoteCalls: string[][];
}): Handlers<MarketDataServiceService> {
  return {
    ...negoStandIns,
    ...overviewStandIns,
    ...brokerStandIns,
    resolvePicks: notNeeded,
    getQuotes: async ({ tickers }) => {
      quoteCalls.push(tickers);
      if (tickers.length > 50) throw new ServiceError('too_many_tickers', 'At most 50 tickers.');
      const quote = { close: 9_000, change_pct: 1.25, date: DAY };
      const known = tickers.filter((ticker) => ticker !== 'NONE');
      return { ...DATASET, quotes: Object.fromEntries(known.map((ticker) => [ticker, quote])) };
    },
    getSnapshot: async ({ ticker, days }) => {
      if (ticker.toUpperCase() !== 'BBCA')
        throw new ServiceError('not_found', `There is no data for ${ticker}.`);
      const bar = {
        date: DAY,
        open: 1,
        high: 3,
        low: 1,
        close: 2,
        volume: 100,
        value: 200,
        frequency: 1,
      };
      const ohlcv = Array.from({ length: days }, () => ({ ...bar, change_pct: 0.5 }));
      const stock = { ticker: 'BBCA', name: 'Bank', sector: undefined, board: undefined, date: DAY };
      const lastTrade = { last_traded_date: stock.date, traded_today: true };
      return { ...DATASET, ...stock, ...lastTrade, is_partial: false, days, ohlcv, features };
    },
  };
}

const POINT = {
  ticker: 'BBCA',
  date: DAY,
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

/** Overview, turning points and flows in the form of the market-data service. Every value that may be null is. */
const overviewStandIns = {
  getMarketOverview: async () => ({
    ...OVERVIEW_DATASET,
    date: DAY,
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
  getTurningPoint: async ({ lookback }) => ({ ...OVERVIEW_DATASET, lookback, turning_point: POINT }),
  listTurningPoints: async ({ lookback }) => ({
    ...OVERVIEW_DATASET,
    lookback,
    turning_points: [POINT],
    missing: ['NONE'],
  }),
  listFlows: async ({ flow_type, days, pattern, sort_by }) => ({
    ...OVERVIEW_DATASET,
    flow_type,
    days,
    pattern,
    sort_by,
    date_from: '2024-06-24',
    date_to: DAY,
    max_price_change_pct: 6,
    min_accum_day_ratio: undefined,
    count: 2,
    inflow: [FLOW],
    outflow: [{ ...FLOW, net_value: -2e9 }],
  }),
} satisfies Partial<Handlers<MarketDataServiceService>>;

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

/** Negotiated trades and comparisons, as far as the gateway's tests need them. */
const negoStandIns: Pick<
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

/** Every value that may be null is. */
const FACTS = { broker: 'AK', broker_name: undefined, is_retail: false, is_foreign: true };
const BOUGHT = { buy_shares: 0, buy_value: 0, avg_buy_price: undefined };
const SOLD = { sell_shares: 100, sell_value: 9_000, avg_sell_price: undefined };
const NET = { net_shares: -100, net_value: -9_000 };

const totals: BrokerTotals = {
  buy_value: 0,
  sell_value: 9_000,
  net_value: -9_000,
  buy_shares: 0,
  sell_shares: 100,
  foreign_buy_value: 0,
  foreign_sell_value: 9_000,
  foreign_net_value: -9_000,
  retail_net_value: 0,
  bandar_net_value: 0,
  foreign_investor_net_value: undefined,
  top5_buyer_net_value: 0,
  top5_seller_net_value: -9_000,
  concentration_pct: undefined,
};
const ranked = {
  broker_count: 1,
  totals,
  top_buyers: [{ ...FACTS, ...BOUGHT, ...NET }],
  top_sellers: [{ ...FACTS, ...SOLD, ...NET }],
};
const day = {
  ticker: 'BBCA',
  date: DAY,
  close: 90,
  is_partial: true,
  mode: 'net',
  coverage_pct: undefined,
  ...ranked,
  ...BROKER_DATASET,
};
const stock = {
  ticker: 'BBCA',
  close: 90,
  ...BOUGHT,
  ...SOLD,
  ...NET,
  net_buy_days: 0,
  net_sell_days: 1,
  price_change_pct: undefined,
  share_of_turnover_pct: undefined,
};

/** The broker calls in the form of the market-data service. */
const brokerStandIns = {
  getBrokers: async ({ market, sort_by }) => ({ ...day, market, sort_by }),
  getNegoBrokers: async ({ sort_by }) => ({
    ...day,
    market: 'NEGO',
    sort_by,
    nego_avg_price: undefined,
    nego_premium: undefined,
    brokers: [{ ...FACTS, ...BOUGHT, ...SOLD, crossed_value: 0, net_value: -9_000 }],
  }),
  getBrokerWindow: async ({ days, market, sort_by }) => ({
    ticker: 'BBCA',
    market,
    sort_by,
    days,
    date_from: DAY,
    date_to: DAY,
    trading_days: 1,
    partial_days: 1,
    by_day: [{ date: DAY, foreign_net_value: -9_000, retail_net_value: 0, bandar_net_value: 0 }],
    ...ranked,
    ...BROKER_DATASET,
    brokers: [{ ...FACTS, ...BOUGHT, ...SOLD, ...NET, active_days: 1, net_buy_days: 0, net_sell_days: 1 }],
  }),
  getBrokerTimeline: async ({ days, market }) => ({
    ticker: 'BBCA',
    broker: 'AK',
    broker_name: undefined,
    market,
    days,
    date_from: DAY,
    date_to: DAY,
    timeline: [{ date: DAY, close: 90, ...BOUGHT, ...SOLD, ...NET, cum_net_value: -9_000 }],
    signals: {
      first_net_buy_date: undefined,
      first_buy_above_1b_date: undefined,
      current_streak: { side: 'NONE', start_date: undefined, days: 0, net_value: 0, is_cut: false },
    },
    summary: { ...NET, avg_cost: undefined, unrealised_pct: undefined, active_days: 1 },
    ...BROKER_DATASET,
  }),
  listBrokerStocks: async ({ days, market, sort_by }) => ({
    broker: 'AK',
    broker_name: undefined,
    market,
    sort_by,
    days,
    date_from: DAY,
    date_to: DAY,
    accumulated: [],
    distributed: [stock],
    ...BROKER_DATASET,
  }),
} satisfies Partial<Handlers<MarketDataServiceService>>;
