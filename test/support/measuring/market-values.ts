import type { Rest } from '../rest/rest.ts';

/** Stocks that are traded, as many as there are of these with negotiated trades within 120 days. */
export async function tradedTickers(rest: Rest, most: number): Promise<string[]> {
  const path = `/api/v1/data/nego/window?days=120&min_val=0&top_n=${most}`;
  const { body } = await rest.get<{ items: { ticker: string }[] }>(path);
  return body.items.map(({ ticker }) => ticker);
}

/** A stock that was traded on the last day of the dataset. */
export async function tradedTicker(rest: Rest): Promise<string> {
  const { body } = await rest.get<{ items: { ticker: string }[] }>('/api/v1/data/nego?min_val=0&top_n=1');
  return body.items[0]!.ticker;
}

/** The trading days of a stock, newest first, at most 250. */
export async function tradingDays(rest: Rest, days: number, ticker?: string): Promise<string[]> {
  const path = `/api/v1/data/stocks/${ticker ?? (await tradedTicker(rest))}?days=${days}`;
  const { body } = await rest.get<{ ohlcv: { date: string }[] }>(path);
  return body.ohlcv.map(({ date }) => date).toReversed();
}
