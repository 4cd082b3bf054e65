import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { DAY_MS } from '#foundation/iso-day.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import type { RestResponse } from '#support/rest/rest.ts';

const tenant = ownTenant();

/** Has negotiated trades on the latest day, and therefore brokers in both markets. */
let ticker: string;
/** Its largest net buyer of that day. */
let broker: string;
/** Its last 250 trading days, ascending. */
let bars: { date: string; volume: number }[];
beforeAll(async () => {
  const { body: scan } = await get<{ items: { ticker: string; regular_value: number }[] }>(
    'nego?min_val=0&top_n=100',
  );
  ticker = scan.items.find(({ regular_value }) => regular_value > 0)!.ticker;
  bars = (await get<{ ohlcv: typeof bars }>(`stocks/${ticker}?days=250`)).body.ohlcv;
  broker = (await brokersOfDay()).body.top_buyers[0]!.broker;
});

function get<Body>(path: string): Promise<RestResponse<Body>> {
  return tenant.rest.get<Body>(`/api/v1/data/${path}`);
}
const brokersOfDay = (query = '', of = ticker) => get<Schemas['Brokers']>(`stocks/${of}/brokers${query}`);
const brokersOfWindow = (query = '', of = ticker) =>
  get<Schemas['BrokerWindow']>(`stocks/${of}/brokers/window${query}`);

function expectDescending(values: number[]): void {
  expect(values).toEqual(values.toSorted((one, other) => other - one));
}

describe('the brokers of a day', () => {
  test('without parameters are the ten largest net buyers and sellers of the latest day', async () => {
    const { status, body } = await brokersOfDay('', ticker.toLowerCase());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ticker,
      date: bars.at(-1)!.date,
      market: 'REG',
      sort_by: 'value',
      mode: 'gross',
      broker_data: 'synthetic',
      is_partial: false,
    });
    expect(body.top_buyers.length).toBeLessThanOrEqual(10);
    expectDescending(body.top_buyers.map(({ net_value }) => net_value));
    expectDescending(body.top_sellers.map(({ net_value }) => -net_value));
    expect((await brokersOfDay('?date=today')).body).toEqual(body);
    expect((await brokersOfDay(`?date=${body.date}&market=REG&top_n=10&sort_by=value`)).body).toEqual(body);
  });

  test('who negotiated are those of the negotiated market, with the price of the stock’s history', async () => {
    const { status, body } = await get<Schemas['NegoBrokers']>(`stocks/${ticker}/nego/brokers`);
    const { brokers, nego_avg_price, nego_premium, ...same } = body;
    expect([status, brokers.length > 0]).toEqual([200, true]);
    expect(same).toEqual((await brokersOfDay('?market=NEGO')).body);
    const { body: history } = await get<{ items: object[] }>(`stocks/${ticker}/nego?days=1`);
    expect(history.items[0]).toMatchObject({ date: body.date, nego_avg_price, nego_premium });
  });
});

describe('the brokers of a window', () => {
  test('without parameters cover the ten latest trading days', async () => {
    const { status, body } = await brokersOfWindow();
    const traded = bars.slice(-10).filter(({ volume }) => volume > 0);
    expect([status, body.days, body.market, body.sort_by]).toEqual([200, 10, 'REG', 'value']);
    expect(body).toMatchObject({
      date_from: bars.at(-10)!.date,
      date_to: bars.at(-1)!.date,
      trading_days: traded.length,
      partial_days: 0,
      broker_data: 'synthetic',
    });
    const written = await brokersOfWindow('?days=10&market=REG&top_n=10&sort_by=value', ticker.toLowerCase());
    expect(written.body).toEqual(body);
  });

  test('over one day equal those of the day', async () => {
    const { totals, top_buyers, top_sellers, broker_count, date } = (await brokersOfDay()).body;
    const same = { totals, top_buyers, top_sellers, broker_count, date_from: date, date_to: date };
    expect((await brokersOfWindow('?days=1')).body).toMatchObject(same);
  });
});

describe('one broker', () => {
  test('has a timeline of thirty calendar days up to the latest trading day, without parameters', async () => {
    const path = `stocks/${ticker.toLowerCase()}/brokers/${broker.toLowerCase()}/timeline`;
    const { status, body } = await get<Schemas['BrokerTimeline']>(path);
    expect([status, body.ticker, body.broker, body.days]).toEqual([200, ticker, broker, 30]);
    expect(Date.parse(body.date_to) - Date.parse(body.date_from)).toBe(29 * DAY_MS);
    expect(body.date_to).toBe(bars.at(-1)!.date);
    const dates = body.timeline.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].toSorted());
    expect(dates.every((date) => date >= body.date_from && date <= body.date_to)).toBe(true);
  });

  test('has the twenty stocks of largest net value over five trading days, without parameters', async () => {
    const path = `brokers/${broker.toLowerCase()}/stocks`;
    const { status, body } = await get<Schemas['BrokerStocks']>(path);
    expect([status, body.broker, body.days, body.sort_by]).toEqual([200, broker, 5, 'value']);
    expect([body.date_from, body.date_to]).toEqual([bars.at(-5)!.date, bars.at(-1)!.date]);
    expect(body.accumulated.length).toBeLessThanOrEqual(20);
    expectDescending(body.accumulated.map(({ net_value }) => net_value));
    expectDescending(body.distributed.map(({ net_value }) => -net_value));
  });
});
