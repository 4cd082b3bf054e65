import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import {
  brokerMarket,
  marketOfRows,
  MON,
  partlyNetMarket,
  ROWS,
  TODAY,
  TUE,
  WED,
} from './broker-market-fixture.ts';
import { brokerStocksOf } from './broker-stocks.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';

const stocks = (wanted: object = {}, market = brokerMarket, today = TODAY) =>
  brokerStocksOf(
    market,
    { broker: 'AK', days: 2, market: 'REG', top_n: 20, sort_by: 'value', ...wanted },
    today,
  );

describe('the stocks of a broker', () => {
  test('are split into net bought and net sold over the window', async () => {
    expect(await stocks({ broker: 'ak ' })).toEqual({
      broker: 'AK',
      broker_name: 'UBS',
      market: 'REG',
      sort_by: 'value',
      days: 2,
      date_from: TUE,
      date_to: WED,
      dataset_version: 'v1',
      broker_data: 'real',
      adjusted: true,
      adjusted_to: WED,
      accumulated: [
        {
          ticker: 'BBBB',
          close: 50,
          buy_value: 50_000,
          sell_value: 0,
          net_value: 50_000,
          net_shares: 1_000,
          avg_buy_price: 50,
          net_buy_days: 1,
          net_sell_days: 0,
          price_change_pct: 0,
          // Tuesday has no rows of this stock, so its share is unknown.
          share_of_turnover_pct: undefined,
        },
      ],
      distributed: [
        {
          ticker: 'AAAA',
          close: 220,
          buy_value: 0,
          sell_value: 212_500,
          net_value: -212_500,
          net_shares: -1_000,
          avg_buy_price: undefined,
          net_buy_days: 0,
          net_sell_days: 2,
          // From 1,000, which is 200 after the split.
          price_change_pct: 10,
          // Half of 212,500 against 205,000 + 110,000.
          share_of_turnover_pct: 33.7302,
        },
      ],
    });
  });

  test('are given in shares of the last day when the window spans a split', async () => {
    const [aaaa] = (await stocks({ days: 3 })).accumulated;
    expect(aaaa).toMatchObject({ ticker: 'AAAA', net_value: 89_000, net_shares: 500, avg_buy_price: 201 });
  });

  test('have no average price when the window includes a net row, but nets still add up', async () => {
    const { accumulated, distributed } = await stocks({ days: 3 }, partlyNetMarket);
    expect(distributed).toMatchObject([
      { ticker: 'AAAA', net_value: 301_500 - 1_500_000_000 - 110_000, avg_buy_price: undefined },
    ]);
    expect(accumulated).toMatchObject([{ ticker: 'BBBB', avg_buy_price: 50 }]);
  });

  test('have a share of turnover only if every day has rows for both sides', async () => {
    const [bbbb] = (await stocks({ days: 1 })).accumulated;
    expect(bbbb).toMatchObject({ ticker: 'BBBB', share_of_turnover_pct: 50 });
    const net = marketOfRows(ROWS.map((row) => (row.ticker === 'BBBB' ? { ...row, mode: 'net' } : row)));
    expect((await stocks({ days: 1 }, net)).accumulated[0]!.share_of_turnover_pct).toBeUndefined();
  });

  test('have no price change when the window starts with the dataset', async () => {
    expect((await stocks({ days: 120 })).accumulated[0]!.price_change_pct).toBeUndefined();
  });

  test('are empty for a broker whose purchases equal its sales', async () => {
    const crossed = { buy_shares: 5, buy_value: 10, sell_shares: 5, sell_value: 10 };
    const market = marketOfRows([{ ticker: 'AAAA', date: WED, broker: 'AP', ...crossed }]);
    expect(await stocks({ broker: 'AP' }, market)).toMatchObject({ accumulated: [], distributed: [] });
  });

  test('are the top_n of 1,000 stocks, sorted by value or shares, ties by ticker', async () => {
    const tickers = Array.from({ length: 1_000 }, (_, i) => `T${String(i).padStart(3, '0')}`);
    const panel = panelOf(tickers.map((ticker) => ({ ticker, date: MON, close: 100 })));
    const rows = tickers.map((ticker, i) => ({
      ticker,
      date: MON,
      broker: 'AK',
      buy_value: 1 + (i % 7),
      buy_shares: 1 + Math.floor(i / 10),
    }));
    const market = loadedOf(panel, {}, brokerFlowOf(panel, rows));
    const found = async (wanted: object) => {
      const { accumulated } = await stocks({ days: 1, top_n: 3, ...wanted }, market);
      return accumulated.map(({ ticker }) => ticker);
    };
    expect(await found({})).toEqual(['T006', 'T013', 'T020']);
    expect(await found({ sort_by: 'shares' })).toEqual(['T990', 'T991', 'T992']);
    expect(await found({ top_n: 100 })).toHaveLength(100);
  });

  test.each([{ broker: 'QQ' }, { broker: 'XL', days: 1 }, { broker: 'CC', market: 'NEGO' }])(
    'are not_found for %j',
    async (wanted) => {
      await expect(stocks(wanted)).rejects.toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );
});
