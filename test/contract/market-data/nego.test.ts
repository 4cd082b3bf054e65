import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

const tenant = ownTenant();

const scan = (query = '') => tenant.rest.get<Schemas['NegoScan']>(`/api/v1/data/nego${query}`);
const windowOf = (query = '') => tenant.rest.get<Schemas['NegoWindow']>(`/api/v1/data/nego/window${query}`);
const history = (ticker: string, query = '') =>
  tenant.rest.get<Schemas['NegoHistory']>(`/api/v1/data/stocks/${ticker}/nego${query}`);
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
});

describe('the scan of a window', () => {
  test('without parameters covers fourteen calendar days up to the latest trading day', async () => {
    const { status, body } = await windowOf();
    expect([status, body.days, body.min_val, body.count]).toEqual([200, 14, 1e9, body.items.length]);
    expect(Date.parse(body.date_to) - Date.parse(body.date_from)).toBe(13 * DAY_MS);
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
});
