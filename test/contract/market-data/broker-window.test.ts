import { describe, expect, test } from 'vitest';
import { codes, expectDescending, refusal, sum, ownBrokerReads } from '#support/markets/broker-reads.ts';

const reads = ownBrokerReads();

describe('the brokers of a window', () => {
  test('without parameters cover the ten latest trading days', async () => {
    const { status, body } = await reads.window();
    const traded = reads.bars.slice(-10).filter(({ volume }) => volume > 0);
    expect([status, body.days, body.market, body.sort_by]).toEqual([200, 10, 'REG', 'value']);
    expect(body).toMatchObject({
      date_from: reads.bars.at(-10)!.date,
      date_to: reads.bars.at(-1)!.date,
      trading_days: traded.length,
      partial_days: 0,
      broker_data: 'synthetic',
    });
    expect(
      (await reads.window('?days=10&market=REG&top_n=10&sort_by=value', reads.ticker.toLowerCase())).body,
    ).toEqual(body);
  });

  test('over one day equal those of the day', async () => {
    const { body } = await reads.day();
    const { totals, top_buyers, top_sellers, broker_count } = body;
    expect((await reads.window('?days=1')).body).toMatchObject({
      totals,
      top_buyers,
      top_sellers,
      broker_count,
      date_from: body.date,
      date_to: body.date,
    });
  });

  test('are the sums of their days, in total and per broker', async () => {
    const { body } = await reads.window('?days=4&top_n=50');
    const days = await Promise.all(
      reads.bars.slice(-4).map(async ({ date }) => (await reads.day(`?date=${date}&top_n=50`)).body),
    );
    for (const name of ['buy_value', 'foreign_net_value', 'retail_net_value', 'bandar_net_value'] as const)
      expect(body.totals[name]).toBe(sum(days, ({ totals }) => totals[name]));
    expect(body.brokers).toEqual(body.brokers.toSorted((a, b) => (a.broker < b.broker ? -1 : 1)));
    expect(new Set(codes(body.brokers))).toEqual(new Set(codes([...body.top_buyers, ...body.top_sellers])));
    for (const row of body.brokers) {
      expect(row.net_value).toBe(row.buy_value - row.sell_value);
      expect(row.net_shares).toBe(row.buy_shares - row.sell_shares);
      expect(row.net_buy_days + row.net_sell_days).toBeLessThanOrEqual(row.active_days);
      expect(row.active_days).toBeLessThanOrEqual(body.trading_days);
    }
    const own = days.flatMap(({ top_buyers, top_sellers }) =>
      [...top_buyers, ...top_sellers].filter((row) => row.broker === reads.broker),
    );
    const found = body.brokers.find((row) => row.broker === reads.broker);
    if (own.length === 4) expect(found!.net_value).toBe(sum(own, ({ net_value }) => net_value));
  });

  test('are ranked over 120 days, the longest window', async () => {
    const { body } = await reads.window('?days=120&top_n=50&sort_by=shares');
    expectDescending(body.top_buyers.map(({ net_shares }) => net_shares));
    expect(body.date_from).toBe(reads.bars.at(-120)!.date);
    expect(body.totals['net_value']).toBe(0);
  });

  test('of an unknown ticker are 404 not_found', async () => {
    expect(refusal(await reads.window('', 'ZZZZ9'))).toEqual([404, 'not_found']);
  });

  test.each([
    'days=0',
    'days=121',
    'days=1.5',
    'days=',
    'top_n=0',
    'top_n=51',
    'top_n=x',
    'market=RG',
    'market=',
    'sort_by=net',
    'sort_by=',
    'date=today',
    'x=1',
  ])('with %s are 422 invalid_request', async (query) => {
    expect(refusal(await reads.window(`?${query}`))).toEqual([422, 'invalid_request']);
  });
});
