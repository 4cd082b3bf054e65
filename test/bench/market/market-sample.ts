import type { Rest } from '#support/rest/rest.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Values of a dataset with which requests find data. */
export interface MarketSample {
  /** The stocks with the highest recent trading value, highest first. */
  tickers: string[];
  brokers: string[];
  /** The latest day of negotiated trades for each stock that has any. */
  negotiated: { ticker: string; date: string }[];
  /** Trading days older than those whose broker rows are in memory, latest first. */
  oldDays: string[];
}

const TICKERS = 100;
const OLD_DAYS = 20;
/** Calendar days before the last day; this is further back than 250 trading days. */
const OLD_FROM = 420;

/** Reads such values from the API, as an application would. */
export async function sampleOf(rest: Rest): Promise<MarketSample> {
  const flows = await read<{ inflow: Stock[]; outflow: Stock[] }>(
    rest,
    `/api/v1/data/flows?days=120&top_n=${TICKERS}&min_abs_val=0&min_price=0&min_daily_val=0`,
  );
  const tickers = [...flows.inflow, ...flows.outflow]
    .toSorted((a, b) => b.avg_daily_value - a.avg_daily_value)
    .slice(0, TICKERS)
    .map(({ ticker }) => ticker);
  const { brokers } = await read<{ brokers: { broker: string }[] }>(
    rest,
    `/api/v1/data/stocks/${tickers[0]}/brokers/window?days=120&top_n=50`,
  );
  const { date } = await read<{ date: string }>(rest, '/api/v1/data/market-overview');
  return {
    tickers,
    brokers: brokers.map(({ broker }) => broker),
    negotiated: await negotiatedDays(rest, tickers),
    oldDays: await oldTradingDays(rest, date),
  };
}

interface Stock {
  ticker: string;
  avg_daily_value: number;
}

async function negotiatedDays(rest: Rest, tickers: string[]): Promise<MarketSample['negotiated']> {
  const found: MarketSample['negotiated'] = [];
  for (const ticker of tickers) {
    const path = `/api/v1/data/stocks/${ticker}/nego?days=120`;
    const { items } = await read<{ items: { date: string; nego_value: number }[] }>(rest, path);
    const latest = items.findLast(({ nego_value }) => nego_value > 0);
    if (latest) found.push({ ticker, date: latest.date });
  }
  return found;
}

async function oldTradingDays(rest: Rest, lastDay: string): Promise<string[]> {
  const days: string[] = [];
  for (let back = OLD_FROM; days.length < OLD_DAYS && back < 2 * OLD_FROM; back++) {
    const day = new Date(Date.parse(lastDay) - back * DAY_MS).toISOString().slice(0, 10);
    const { status } = await rest.get(`/api/v1/data/nego?date=${day}`);
    if (status === 200) days.push(day);
  }
  return days;
}

async function read<Body>(rest: Rest, path: string): Promise<Body> {
  const { status, body } = await rest.get<Body>(path);
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
