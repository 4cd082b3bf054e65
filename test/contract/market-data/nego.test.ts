import { beforeAll, describe, expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/fleets/rest.ts';

const tenant = ownTenant();

interface Traded {
  ticker: string;
  close: number;
  nego_value: number;
  nego_volume: number;
  nego_frequency: number;
  nego_avg_price: number | null;
  nego_premium: number | null;
  outlier: boolean;
}
interface Scan {
  date: string;
  min_val: number;
  count: number;
  items: (Traded & { regular_value: number; top_buyer: string | null; top_seller: string | null })[];
}
interface Window extends Scan {
  days: number;
  date_from: string;
  date_to: string;
  trading_days: number;
  items: (Scan['items'][number] & {
    avg_close: number;
    days_active: number;
    total_value: number;
    max_day_value: number;
    last_date: string;
  })[];
}
interface History {
  ticker: string;
  days: number;
  items: (Omit<Traded, 'ticker'> & { date: string; nego_to_regular_pct: number | null })[];
  summary: { total_value: number; days_active: number; avg_premium: number | null };
}

const scan = (query = '') => tenant.rest.get<Scan>(`/api/v1/data/nego${query}`);
const windowOf = (query = '') => tenant.rest.get<Window>(`/api/v1/data/nego/window${query}`);
const history = (ticker: string, query = '') =>
  tenant.rest.get<History>(`/api/v1/data/stocks/${ticker}/nego${query}`);
const refusal = (response: { status: number; body: unknown }) => [
  response.status,
  errorCode(response as never),
];

/** The stock with the highest negotiated value of the last 120 days, which certainly has negotiated trades. */
let busy: string;
let lastDay: string;
beforeAll(async () => {
  const { body } = await windowOf('?days=120&min_val=0&top_n=1');
  busy = body.items[0]!.ticker;
  lastDay = body.date_to;
});

describe('negotiated trading of a stock', () => {
  test('covers the requested trading days, oldest first up to the latest, twenty by default', async () => {
    const { status, body } = await history(busy.toLowerCase());
    expect([status, body.ticker, body.days, body.items.length]).toEqual([200, busy, 20, 20]);
    const dates = body.items.map(({ date }) => date);
    expect(dates).toEqual([...new Set(dates)].toSorted());
    const { body: snapshot } = await tenant.rest.get<{ ohlcv: { date: string }[] }>(
      `/api/v1/data/stocks/${busy}?days=20`,
    );
    expect(dates).toEqual(snapshot.ohlcv.map(({ date }) => date));
    expect((await history(busy, '?days=250')).body.items.length).toBe(250);
    expect((await history(busy, '?days=1')).body.items.length).toBe(1);
  });

  test('gives the premium as a fraction of the close, and null on days without negotiated trades', async () => {
    const { items, summary } = (await history(busy, '?days=250')).body;
    const active = items.filter(({ nego_value }) => nego_value > 0);
    expect(active.length).toBeGreaterThan(0);
    for (const day of active) {
      expect(day.nego_avg_price).toBeCloseTo(day.nego_value / day.nego_volume, 3);
      expect(day.nego_premium).toBeCloseTo((day.nego_avg_price! - day.close) / day.close, 3);
      expect(day.outlier).toBe(day.nego_premium! > 1 || day.nego_premium! < -0.5);
    }
    for (const day of items.filter(({ nego_value }) => nego_value === 0))
      expect([day.nego_avg_price, day.nego_premium, day.outlier]).toEqual([null, null, false]);
    expect(summary.days_active).toBe(active.length);
    expect(summary.total_value).toBe(active.reduce((sum, { nego_value }) => sum + nego_value, 0));
    const premiums = active.map(({ nego_premium }) => nego_premium!);
    expect(summary.avg_premium).toBeGreaterThanOrEqual(Math.min(...premiums));
    expect(summary.avg_premium).toBeLessThanOrEqual(Math.max(...premiums));
  });

  test('of an unknown ticker is 404 not_found', async () => {
    expect(refusal(await history('ZZZZ9'))).toEqual([404, 'not_found']);
    expect(refusal(await history('%20'))).toEqual([404, 'not_found']);
  });

  test.each([
    'days=0',
    'days=251',
    'days=-1',
    'days=1.5',
    'days=all',
    'days=',
    'days=1&days=2',
    'date=today',
  ])('with %s is 422 invalid_request', async (query) => {
    expect(refusal(await history(busy, `?${query}`))).toEqual([422, 'invalid_request']);
  });
});

describe('the scan of a day', () => {
  test('without parameters covers the latest trading day, from a billion rupiah, at most twenty items', async () => {
    const { status, body } = await scan();
    expect([status, body.date, body.min_val, body.count]).toEqual([200, lastDay, 1e9, body.items.length]);
    expect(body.items.length).toBeLessThanOrEqual(20);
    expect(body.items.every(({ nego_value }) => nego_value >= 1e9)).toBe(true);
    expect((await scan('?date=today')).body).toEqual(body);
    expect((await scan(`?date=${lastDay}`)).body).toEqual(body);
  });

  test('sorts by value, agrees with the history of each stock, and names top buyer and seller', async () => {
    const active = (await history(busy, '?days=250')).body.items.findLast(
      ({ nego_value }) => nego_value > 0,
    )!;
    const { body } = await scan(`?date=${active.date}&min_val=0&top_n=100`);
    const values = body.items.map(({ nego_value }) => nego_value);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    const { nego_to_regular_pct: _pct, date, ...same } = active;
    expect(body.date).toBe(date);
    expect(body.items.find(({ ticker }) => ticker === busy)).toMatchObject(same);
    for (const { ticker, top_buyer, top_seller } of body.items.slice(0, 3)) {
      const { body: brokers } = await tenant.rest.get<
        Record<'top_buyers' | 'top_sellers', { broker: string }[]>
      >(`/api/v1/data/stocks/${ticker}/nego/brokers?date=${date}&top_n=1`);
      expect([top_buyer, top_seller]).toEqual([
        brokers.top_buyers[0]!.broker,
        brokers.top_sellers[0]!.broker,
      ]);
    }
    const [first] = (await scan(`?date=${active.date}&min_val=0&top_n=1`)).body.items;
    expect(first).toEqual(body.items[0]);
    expect((await scan(`?date=${active.date}&min_val=${values[0]}`)).body.items[0]).toEqual(first);
  });

  test('has no items when nothing reaches min_val', async () => {
    const { status, body } = await scan('?min_val=1e18');
    expect([status, body.count, body.items]).toEqual([200, 0, []]);
  });

  test.each(['1999-01-04', '2000-01-01', '2999-01-01'])(
    'of %s, without data, is 404 not_found',
    async (date) => {
      expect(refusal(await scan(`?date=${date}`))).toEqual([404, 'not_found']);
    },
  );

  test('of a Sunday within the data is 404 not_found', async () => {
    const dates = (await history(busy, '?days=10')).body.items.map(({ date }) => Date.parse(date));
    const sunday = Array.from({ length: 7 }, (_, i) => new Date(dates[0]! + i * 86_400_000)).find(
      (day) => day.getUTCDay() === 0,
    )!;
    expect(refusal(await scan(`?date=${sunday.toISOString().slice(0, 10)}`))).toEqual([404, 'not_found']);
  });

  test.each([
    'date=',
    'date=yesterday',
    'date=TODAY',
    'date=2024-02-30',
    'date=20240102',
    'date=2024-01-02T00:00:00',
    'min_val=-1',
    'min_val=',
    'min_val=1bn',
    'min_val=Infinity',
    'min_val=1&min_val=2',
    'top_n=0',
    'top_n=101',
    'top_n=1.5',
    'top_n=all',
    'days=5',
    'surprise=1',
  ])('with %s is 422 invalid_request', async (query) => {
    expect(refusal(await scan(`?${query}`))).toEqual([422, 'invalid_request']);
  });
});

describe('the scan of a window', () => {
  test('without parameters covers fourteen calendar days up to the latest trading day', async () => {
    const { status, body } = await windowOf();
    expect([status, body.days, body.min_val, body.count]).toEqual([200, 14, 1e9, body.items.length]);
    expect(Date.parse(body.date_to) - Date.parse(body.date_from)).toBe(13 * 86_400_000);
    expect(body.trading_days).toBeGreaterThan(0);
    expect(body.trading_days).toBeLessThanOrEqual(10);
    expect(body.items.length).toBeLessThanOrEqual(20);
  });

  test('of one day is the scan of that day', async () => {
    const { body } = await windowOf('?days=1&min_val=0&top_n=100');
    const { body: day } = await scan('?min_val=0&top_n=100');
    expect([body.date_from, body.date_to, body.trading_days]).toEqual([day.date, day.date, 1]);
    expect(body.items).toMatchObject(day.items);
  });

  test('sums the days that the history of the stock has in the window', async () => {
    const { body } = await windowOf('?days=120&min_val=0&top_n=100');
    const found = body.items.find(({ ticker }) => ticker === busy)!;
    const days = (await history(busy, '?days=120')).body.items.filter(
      ({ date, nego_value }) => date >= body.date_from && nego_value > 0,
    );
    const values = days.map(({ nego_value }) => nego_value);
    expect(found).toMatchObject({
      days_active: days.length,
      max_day_value: Math.max(...values),
      last_date: days.at(-1)!.date,
      nego_frequency: days.reduce((sum, { nego_frequency }) => sum + nego_frequency, 0),
    });
    expect(found.total_value).toBe(values.reduce((sum, value) => sum + value, 0));
    expect(found.nego_value).toBe(found.total_value);
    expect(found.nego_premium).toBeCloseTo(found.nego_avg_price! / found.avg_close - 1, 3);
    const totals = body.items.map(({ total_value }) => total_value);
    expect(totals).toEqual(totals.toSorted((a, b) => b - a));
  });

  test.each([
    'days=0',
    'days=121',
    'days=1.5',
    'days=',
    'min_val=-1',
    'min_val=x',
    'top_n=0',
    'top_n=101',
    'top_n=x',
    'date=today',
    'surprise=1',
  ])('with %s is 422 invalid_request', async (query) => {
    expect(refusal(await windowOf(`?${query}`))).toEqual([422, 'invalid_request']);
  });
});
