import { expect } from 'vitest';
import { errorCode, type RestAnswer } from '../fleets/rest.ts';

/** Answers on brokers, as far as tests read them. */
export interface Named {
  broker: string;
  net_shares: number;
  net_value: number;
  is_retail: boolean;
  is_foreign: boolean;
}
export type Buyer = Named & { buy_shares: number; buy_value: number; avg_buy_price: number | null };
export type Seller = Named & { sell_shares: number; sell_value: number; avg_sell_price: number | null };
export interface Ranked {
  ticker: string;
  market: string;
  sort_by: string;
  broker_count: number;
  totals: Record<string, number | null>;
  top_buyers: Buyer[];
  top_sellers: Seller[];
  dataset_version: string;
  broker_data: string;
}
export interface Day extends Ranked {
  date: string;
  close: number;
  is_partial: boolean;
  mode: string;
  coverage_pct: number | null;
}
export type WindowRow = Buyer & Seller & { active_days: number; net_buy_days: number; net_sell_days: number };
export interface Window extends Ranked {
  days: number;
  date_from: string;
  date_to: string;
  trading_days: number;
  partial_days: number;
  brokers: WindowRow[];
}
export interface NegoDay extends Day {
  nego_avg_price: number;
  nego_premium: number;
  brokers: (Omit<Buyer & Seller, 'net_shares'> & { crossed_value: number })[];
}
export interface Timeline {
  ticker: string;
  broker: string;
  days: number;
  date_from: string;
  date_to: string;
  timeline: {
    date: string;
    buy_value: number;
    sell_value: number;
    net_value: number;
    cum_net_value: number;
    avg_buy_price: number | null;
  }[];
  signals: {
    first_net_buy_date: string | null;
    first_buy_above_1b_date: string | null;
    current_streak: { side: string; start_date: string | null; days: number; net_value: number };
  };
  summary: { net_value: number; active_days: number; avg_cost: number | null; unrealised_pct: number | null };
}
export interface Stock {
  ticker: string;
  net_value: number;
  net_shares: number;
  share_of_turnover_pct: number | null;
}
export interface Stocks {
  broker: string;
  days: number;
  sort_by: string;
  date_from: string;
  date_to: string;
  accumulated: Stock[];
  distributed: Stock[];
}

export const codes = (rows: { broker: string }[]) => rows.map(({ broker }) => broker);

export const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);

/** Status and code of a refused request. */
export const refusal = (answer: RestAnswer<unknown>) => [answer.status, errorCode(answer as RestAnswer)];

export function expectDescending(values: number[]): void {
  expect(values).toEqual(values.toSorted((one, other) => other - one));
}
