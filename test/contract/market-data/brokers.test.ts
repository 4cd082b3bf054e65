import { describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { codes, expectDescending, refusal, ownBrokerReads } from '#support/markets/broker-reads.ts';

const reads = ownBrokerReads();

describe('the brokers of a day', () => {
  test('without parameters are the ten largest net buyers and sellers of the latest day', async () => {
    const { status, body } = await reads.day('', reads.ticker.toLowerCase());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ticker: reads.ticker,
      date: reads.bars.at(-1)!.date,
      market: 'REG',
      sort_by: 'value',
      mode: 'gross',
      broker_data: 'synthetic',
      is_partial: false,
    });
    expect(body.top_buyers.length).toBeLessThanOrEqual(10);
    expectDescending(body.top_buyers.map(({ net_value }) => net_value));
    expectDescending(body.top_sellers.map(({ net_value }) => -net_value));
    expect(body.top_buyers.every(({ net_value }) => net_value > 0)).toBe(true);
    expect(body.top_sellers.every(({ net_value }) => net_value < 0)).toBe(true);
    for (const { buy_value, buy_shares, avg_buy_price } of body.top_buyers)
      expect(avg_buy_price).toBeCloseTo(buy_value / buy_shares, 3);
    for (const { sell_value, sell_shares, avg_sell_price } of body.top_sellers)
      expect(avg_sell_price).toBeCloseTo(sell_value / sell_shares, 3);
    expect((await reads.day('?date=today')).body).toEqual(body);
    expect((await reads.day(`?date=${body.date}&market=REG&top_n=10&sort_by=value`)).body).toEqual(body);
  });

  test('add up to the exchange’s figures of the day, and the classes to the total', async () => {
    for (const bar of reads.bars.slice(-5).filter(({ volume }) => volume > 0)) {
      const { totals, coverage_pct } = (await reads.day(`?date=${bar.date}`)).body;
      expect(coverage_pct).toBe(100);
      expect(totals).toMatchObject({ buy_shares: bar.volume, sell_shares: bar.volume, net_value: 0 });
      expect(totals['buy_value'] / bar.value).toBeCloseTo(1, 2);
      expect(totals['foreign_net_value'] + totals['retail_net_value'] + totals['bandar_net_value']).toBe(0);
      expect(totals['top5_buyer_net_value']).toBeGreaterThanOrEqual(0);
      expect(totals['top5_seller_net_value']).toBeLessThanOrEqual(0);
      expect(totals['foreign_investor_net_value']).toBeTypeOf('number');
    }
  });

  test('are as many as requested, in a stable order', async () => {
    const { body: all } = await reads.day('?top_n=50');
    const { body: two } = await reads.day('?top_n=2');
    expect(two.top_buyers).toEqual(all.top_buyers.slice(0, 2));
    expect(two.top_sellers).toEqual(all.top_sellers.slice(0, 2));
    expect(two.totals).toEqual(all.totals);
    expect(all.broker_count).toBeGreaterThanOrEqual(
      new Set(codes([...all.top_buyers, ...all.top_sellers])).size,
    );
    expectDescending(
      (await reads.day('?sort_by=shares')).body.top_buyers.map(({ net_shares }) => net_shares),
    );
  });

  test('are also available for a day long ago', async () => {
    const traded = reads.bars.find(({ volume }) => volume > 0)!;
    const first = (await reads.day(`?date=${traded.date}`)).body;
    const before = await latestBefore(reads.bars[0]!.date);
    for (const { totals, coverage_pct, broker_count } of [first, before]) {
      expect([coverage_pct, totals['net_value']]).toEqual([100, 0]);
      expect(broker_count).toBeGreaterThan(3);
    }
  });

  test.each(['ZZZZ9', '%20'])('of the unknown ticker %s are 404 not_found', async (unknown) => {
    const responses = [
      reads.day('', unknown),
      reads.window('', unknown),
      reads.negoDay('', unknown),
      reads.timeline('', reads.broker, unknown),
    ];
    for (const response of responses) expect(refusal(await response)).toEqual([404, 'not_found']);
  });

  test.each(['1999-01-04', '2999-01-01', '2024-06-30'])(
    'of %s, without data, are 404 not_found',
    async (date) => {
      for (const response of [reads.day(`?date=${date}`), reads.negoDay(`?date=${date}`)])
        expect(refusal(await response)).toEqual([404, 'not_found']);
    },
  );

  const BAD_DAYS = ['date=', 'date=yesterday', 'date=TODAY', 'date=2024-02-30', 'date=20240102'];
  const BAD_RANKS = [
    'top_n=0',
    'top_n=51',
    'top_n=1.5',
    'top_n=all',
    'top_n=',
    'sort_by=net',
    'sort_by=Value',
  ];
  const BAD_MARKETS = ['market=RG', 'market=reg', 'market=', 'market=REG&market=NEGO'];
  test.each([...BAD_DAYS, ...BAD_RANKS, ...BAD_MARKETS, 'days=5', 'surprise=1'])(
    'with %s are 422 invalid_request',
    async (query) => {
      expect(refusal(await reads.day(`?${query}`))).toEqual([422, 'invalid_request']);
    },
  );

  test.each([...BAD_DAYS, ...BAD_RANKS, 'market=NEGO', 'days=5', 'surprise=1'])(
    'of negotiated trades with %s are 422 invalid_request',
    async (query) => {
      expect(refusal(await reads.negoDay(`?${query}`))).toEqual([422, 'invalid_request']);
    },
  );
});

describe('the brokers of negotiated trades', () => {
  test('are those of the negotiated market of the day, with both sides and the price paid', async () => {
    const { status, body } = await reads.negoDay();
    const { brokers, nego_avg_price, nego_premium, ...same } = body;
    expect(status).toBe(200);
    expect(same).toEqual((await reads.day('?market=NEGO')).body);
    const { body: history } = await reads.get<{
      items: { date: string; nego_value: number; nego_volume: number }[];
    }>(`stocks/${reads.ticker}/nego?days=1`);
    expect(body.totals['buy_shares']).toBe(history.items[0]!.nego_volume);
    expect(body.totals['buy_value'] / history.items[0]!.nego_value).toBeCloseTo(1, 2);
    expect(history.items[0]).toMatchObject({ date: body.date, nego_avg_price, nego_premium });
    expect(new Set(codes(brokers))).toEqual(new Set(codes([...body.top_buyers, ...body.top_sellers])));
    expectDescending(body.top_buyers.map(({ buy_value }) => buy_value));
    expectDescending(body.top_sellers.map(({ sell_value }) => sell_value));
    for (const { buy_value, sell_value, crossed_value, net_value } of brokers)
      expect([crossed_value, net_value]).toEqual([Math.min(buy_value, sell_value), buy_value - sell_value]);
  });

  test('match the top buyer and seller in the scan of the same day', async () => {
    const { body: scan } = await reads.get<{
      items: { ticker: string; top_buyer: string; top_seller: string }[];
    }>('nego?min_val=0&top_n=5');
    for (const item of scan.items) {
      const { top_buyers, top_sellers } = (await reads.negoDay('?top_n=1', item.ticker)).body;
      expect([item.top_buyer, item.top_seller]).toEqual(codes([top_buyers[0]!, top_sellers[0]!]));
    }
  });

  test('of a day without negotiated trades are 404 not_found', async () => {
    const { body } = await reads.get<{ items: { date: string; nego_value: number }[] }>(
      `stocks/${reads.ticker}/nego?days=250`,
    );
    const quiet = body.items.find(({ nego_value }) => nego_value === 0)!;
    expect(refusal(await reads.negoDay(`?date=${quiet.date}`))).toEqual([404, 'not_found']);
  });
});

/** The brokers of the latest day before a date that has any. A stock may be suspended for a while. */
async function latestBefore(date: string): Promise<Schemas['Brokers']> {
  for (let daysBack = 1; daysBack <= 60; daysBack++) {
    const earlier = new Date(Date.parse(date) - daysBack * 86_400_000).toISOString().slice(0, 10);
    const { status, body } = await reads.day(`?date=${earlier}`);
    if (status === 200) return body;
  }
  throw new Error(`no brokers within sixty days before ${date}`);
}
