import { tradedTickers } from '../measuring/market-values.ts';
import { Rest } from '../rest/rest.ts';
import { servedDataset } from '../rest/served-dataset.ts';

/** What clients know about the market. */
export interface KnownMarket {
  /** Tickers of stocks that are traded. */
  tickers: string[];
  /** YYYY-MM-DD. The first days are not in the memory of market-data, which queries ClickHouse for them. */
  firstDate: string;
  requiredConsent: string;
}

export async function readMarket(baseUrl: string, key: string): Promise<KnownMarket> {
  const rest = new Rest(baseUrl, key);
  const dataset = await servedDataset(rest);
  const { body: consent } = await rest.get<{ required_version: string }>('/api/v1/consent', {
    endUser: 'load',
  });
  return {
    tickers: await tradedTickers(rest, 30),
    firstDate: dataset.first_date,
    requiredConsent: consent.required_version,
  };
}
