import { describe, expect, test } from 'vitest';
import { expectDescending, refusal, sum, ownBrokerReads } from '#support/markets/broker-reads.ts';

const reads = ownBrokerReads();

describe('the timeline of a broker', () => {
  test('without parameters covers thirty calendar days up to the latest trading day', async () => {
    const { status, body } = await reads.timeline('', reads.broker.toLowerCase(), reads.ticker.toLowerCase());
    expect([status, body.ticker, body.broker, body.days]).toEqual([200, reads.ticker, reads.broker, 30]);
    expect(Date.parse(body.date_to) - Date.parse(body.date_from)).toBe(29 * 86_400_000);
    expect(body.date_to).toBe(reads.bars.at(-1)!.date);
    const dates = body.timeline.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].toSorted());
    expect(dates.every((date) => date >= body.date_from && date <= body.date_to)).toBe(true);
  });

  test('accumulates to its sum, and its signals follow from its days', async () => {
    const { timeline, signals, summary } = (await reads.timeline('?days=250')).body;
    let running = 0;
    for (const { buy_value, sell_value, net_value, cum_net_value } of timeline) {
      expect(net_value).toBe(buy_value - sell_value);
      expect(cum_net_value).toBe((running += net_value));
    }
    expect(summary).toMatchObject({ net_value: running, active_days: timeline.length });
    const first = (holds: (of: (typeof timeline)[number]) => boolean) => timeline.find(holds)?.date ?? null;
    expect(signals.first_net_buy_date).toBe(first(({ net_value }) => net_value > 0));
    expect(signals.first_buy_above_1b_date).toBe(first(({ buy_value }) => buy_value >= 1e9));
    // The broker was a net buyer on the latest day.
    const other = timeline.findLastIndex(({ net_value }) => net_value < 0);
    const streak = timeline.slice(other + 1).filter(({ net_value }) => net_value > 0);
    expect(signals.current_streak).toEqual({
      side: 'ACCUMULATION',
      start_date: streak[0]!.date,
      days: streak.length,
      net_value: sum(streak, ({ net_value }) => net_value),
      is_cut: expect.any(Boolean) as boolean,
    });
  });

  test('agrees with the window over the same days', async () => {
    const window = (await reads.window('?days=5&top_n=50')).body;
    const calendarDays = 1 + (Date.parse(window.date_to) - Date.parse(window.date_from)) / 86_400_000;
    for (const row of window.brokers.slice(0, 5)) {
      const { summary } = (await reads.timeline(`?days=${calendarDays}`, row.broker)).body;
      expect(summary).toMatchObject({
        net_value: row.net_value,
        active_days: row.active_days,
        avg_cost: row.avg_buy_price,
      });
    }
  });

  test('of a broker that did not trade the stock is 404 not_found', async () => {
    for (const code of ['ZZZZ', 'x'.repeat(65), '%20'])
      expect(refusal(await reads.timeline('', code))).toEqual([404, 'not_found']);
  });

  test.each(['days=0', 'days=251', 'days=1.5', 'days=', 'market=ALL', 'top_n=5', 'sort_by=value', 'x=1'])(
    'with %s is 422 invalid_request',
    async (query) => {
      expect(refusal(await reads.timeline(`?${query}`))).toEqual([422, 'invalid_request']);
    },
  );
});

describe('the stocks of a broker', () => {
  test('without parameters are the twenty with the largest net value over five trading days', async () => {
    const { status, body } = await reads.stocks('', reads.broker.toLowerCase());
    expect([status, body.broker, body.days, body.sort_by]).toEqual([200, reads.broker, 5, 'value']);
    expect([body.date_from, body.date_to]).toEqual([reads.bars.at(-5)!.date, reads.bars.at(-1)!.date]);
    expect(body.accumulated.length).toBeLessThanOrEqual(20);
    expect(body.accumulated.every(({ net_value }) => net_value > 0)).toBe(true);
    expect(body.distributed.every(({ net_value }) => net_value < 0)).toBe(true);
    expectDescending(body.accumulated.map(({ net_value }) => net_value));
    expectDescending(body.distributed.map(({ net_value }) => -net_value));
    expectDescending(
      (await reads.stocks('?sort_by=shares')).body.accumulated.map(({ net_shares }) => net_shares),
    );
  });

  test('agree with the broker window of each stock', async () => {
    const { accumulated, distributed } = (await reads.stocks('?days=3&top_n=3')).body;
    for (const { ticker: of, net_value, share_of_turnover_pct } of [...accumulated, ...distributed]) {
      const window = (await reads.window('?days=3&top_n=50', of)).body;
      const row = window.brokers.find((one) => one.broker === reads.broker)!;
      expect(row.net_value).toBe(net_value);
      const share = (100 * (row.buy_value + row.sell_value)) / 2 / window.totals['buy_value'];
      expect(share_of_turnover_pct! / share).toBeCloseTo(1, 2);
    }
  });

  test('of a broker without rows are 404 not_found', async () => {
    for (const code of ['ZZZZ', '%20', '0'])
      expect(refusal(await reads.stocks('', code))).toEqual([404, 'not_found']);
  });

  test.each([
    'days=0',
    'days=121',
    'days=1.5',
    'days=',
    'top_n=0',
    'top_n=101',
    'top_n=x',
    'market=',
    'market=nego',
    'sort_by=',
    'sort_by=price',
    'date=today',
    'x=1',
  ])('with %s are 422 invalid_request', async (query) => {
    expect(refusal(await reads.stocks(`?${query}`))).toEqual([422, 'invalid_request']);
  });
});
