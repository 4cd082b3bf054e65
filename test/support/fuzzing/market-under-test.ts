import { submitRunOf } from '../jobs.ts';
import type { Rest } from '../rest.ts';
import type { MarketValues } from './market-values.ts';

/** Large brokers of every class: some of them trade anything that is traded at all. */
const BROKERS = ['AK', 'CC', 'XL', 'YP', 'ZP'];
const DAYS = 250;

/** Tickers and days of the dataset that a gateway serves, and two runs of it, of which only one has learnt. */
export async function marketUnderTest(rest: Rest): Promise<MarketValues> {
  const scan = await rest.get<{ items: { ticker: string }[] }>(
    '/api/v1/data/nego/window?days=120&min_val=0&top_n=100',
  );
  const tickers = scan.body.items.map(({ ticker }) => ticker);
  const stock = await rest.get<{ ohlcv: { date: string }[] }>(
    `/api/v1/data/stocks/${tickers[0]}?days=${DAYS}`,
  );
  const runs = ['model_f_combined', 'confluence_filter'].map((model) =>
    submitRunOf(rest, model, null, '?wait=60'),
  );
  const jobs = (await Promise.all(runs)).map(({ job_id }) => job_id);
  return { tickers, brokers: BROKERS, days: stock.body.ohlcv.map(({ date }) => date), jobs };
}
