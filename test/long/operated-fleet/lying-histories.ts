import { expect, test } from 'vitest';
import { issueKey } from '#support/fleets/issued-keys.ts';
import type { Rest } from '#support/rest/rest.ts';
import { chronicleOf, deliveriesOf, trueDelivery, type Delivery } from '#support/histories/histories.ts';
import { tarGzOf } from '#support/markets/idx-archive.ts';
import { datasetClient, outcomeOf, uploadOf } from '#support/services/dataset-client.ts';
import { own } from './fleet.ts';

const SCREEN = {
  rules: 'close > 0 sort by ticker limit 100',
  columns: ['close', 'ret_3d', 'rsi_14', 'market_cap_idr', 'turnover_20d_pct', 'foreign_share_20d_pct'],
};

/** Imports these in turn, and waits until the gateway answers from the last version. */
async function serve(deliveries: Delivery[], rest: Rest): Promise<void> {
  const { addresses, operator_token: operatorToken } = await own.fleet.file();
  const datasets = datasetClient(addresses.market_data);
  let version = '';
  for (const [i, { files, rank, restates: days }] of deliveries.entries()) {
    const span = days && { restates_from: days.from, restates_to: days.to };
    const upload = uploadOf(await tarGzOf(files), { header: { adds: i > 0, rank, ...span } });
    const { outcome } = await outcomeOf(
      datasets.importDataset(upload, { requestId: 'req_test', operatorToken }),
    );
    version = outcome.dataset!.version;
  }
  datasets.close();
  const served = async () => (await rest.get('/api/v1/data/stocks')).body['dataset_version'];
  await expect.poll(served).toBe(version);
}

/** What applications are told of the market, but for the name of its version. */
async function told(tickers: string[], rest: Rest): Promise<unknown[]> {
  const get = async (path: string) => {
    const { status, body } = await rest.get(`/api/v1/data/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return { ...body, dataset_version: '' };
  };
  const reads = ['', '/actions', '/bars?limit=1000', '/bars?limit=1000&adjusted=false'];
  const paths = tickers.flatMap((ticker) => reads.map((read) => `stocks/${ticker}${read}`));
  const answers = await Promise.all([...paths, 'stocks?limit=1000', 'market-overview'].map(get));
  const screened = async () =>
    (await rest.post('/api/v1/screens/preview', SCREEN, { endUser: 'a-reader' })).body['rows'];
  await expect.poll(screened).toBeInstanceOf(Array);
  return [...answers, await screened()];
}

test('all answers of a market that lied and was repaired are those of the market that was', async () => {
  const { key } = await issueKey(own.fleet.stateDir, 'data:read,screens:read');
  const rest = own.rest.as(key);
  const { market, histories } = chronicleOf(7, 30);
  const repaired = histories.map((history) => ({ ...history, isRepaired: true }));
  const tickers = market.rowsOf(market.days.at(-1)!).map(({ ticker }) => ticker);
  const some = tickers.filter((_, i) => i % 2 === 0);
  await serve(deliveriesOf({ market, histories: repaired }), rest);
  const afterLies = await told(some, rest);
  await serve([trueDelivery(market)], rest);
  expect(afterLies).toEqual(await told(some, rest));
});
