import type { BrokerTotals, MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Handlers } from '#shared/grpc/server.ts';

const DATASET = { dataset_version: 'synthetic-20240628-1', broker_data: 'synthetic', adjusted: true };
const DAY = '2024-06-28';
/** Nothing is known that may be null. */
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
  ...DATASET,
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

/** The broker calls as the market-data service answers them. */
export const brokerStandIns = {
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
    ...DATASET,
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
      current_streak: { side: 'NONE', start_date: undefined, days: 0, net_value: 0 },
    },
    summary: { ...NET, avg_cost: undefined, unrealised_pct: undefined, active_days: 1 },
    ...DATASET,
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
    ...DATASET,
  }),
} satisfies Partial<Handlers<MarketDataServiceService>>;
