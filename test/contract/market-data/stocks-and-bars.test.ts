import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { SyntheticTicker } from '#synthetic-market/generate-market.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/rest/rest.ts';
import { servedMarket } from '#support/markets/served-market.ts';

const tenant = ownTenant();

let market: SyntheticTicker[];
let version: string;
let lastDay: string;
beforeAll(async () => {
  ({ version, lastDay, market } = await servedMarket(tenant.rest));
});

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the list of stocks', () => {
  test('has every company of the market in one page, with its listing and its days', async () => {
    const { stocks, as_of, has_more } = await tenant.client.data.stocks({ limit: 1_000 }).first();
    expect([as_of, has_more]).toEqual([lastDay, false]);
    expect(stocks).toEqual(
      market.map(({ ticker, name, sector, board, listing_date, rows }) => ({
        ...{ ticker, name, sector, board, listed_on: listing_date, first_date: rows.date[0] },
        last_date: rows.date.at(-1),
        last_traded_date: rows.date[rows.volume.findLastIndex((volume) => volume > 0)] ?? null,
        status: rows.date.at(-1) === lastDay ? 'listed' : (expect.any(String) as string),
      })),
    );
    const delisted = stocks.filter(({ status }) => status === 'delisted');
    expect(delisted.length).toBeGreaterThan(0);
    expect(await collected(tenant.client.data.stocks({ status: 'delisted' }))).toEqual(delisted);
  });
});

describe('bars of a stock', () => {
  test('say in whose terms they are, and unadjusted are the rows of the exchange', async () => {
    const { ticker, rows } = market.find((company) => company.rows.volume[300]! > 0)!;
    const date = rows.date[300]!;
    const page = (adjusted: 'true' | 'false') =>
      tenant.client.data.bars(ticker, { from: date, to: date, adjusted }).first();
    expect(await page('false')).toEqual({
      ...{ ticker, interval: 'day', count: 1, next_cursor: null, has_more: false, is_partial: false },
      ...{ dataset_version: version, adjusted: false, adjusted_to: null },
      ...{ reinvests_dividends: false, dividends: null, missing_days: [] },
      bars: [
        expect.objectContaining({
          ...{ date, last_date: date, traded_days: 1, high: rows.high[300], low: rows.low[300] },
          ...{ close: rows.close[300], volume: rows.volume[300], value: rows.value[300] },
        }),
      ],
    });
    expect(await page('true')).toMatchObject({ adjusted: true, adjusted_to: lastDay });
  });

  test('of one day are those of all stocks on that day', async () => {
    const date = market[0]!.rows.date[300]!;
    const bars = await collected(tenant.client.data.barsOfDay({ date, limit: 7 }));
    const known = market.filter(({ rows }) => rows.date.includes(date));
    expect(bars.map(({ ticker }) => ticker)).toEqual(known.map(({ ticker }) => ticker));
    for (const { ticker, ...bar } of bars.filter((_, i) => i % 10 === 0)) {
      const [own] = (await tenant.client.data.bars(ticker, { from: date, to: date }).first()).bars;
      expect(own).toMatchObject(bar);
    }
    const today = await tenant.client.data.barsOfDay().first();
    expect([today.date, today.adjusted_to]).toEqual([lastDay, lastDay]);
  });
});

describe('pages', () => {
  test.each([1, 7, 100, 1_000])(
    'of %i bars hold every row once and in order, as JSON and as CSV',
    async (limit) => {
      const { ticker, rows } = market.find(({ rows }) => rows.date.length > 300)!;
      const span = { from: rows.date[200]!, to: rows.date[limit === 1 ? 205 : 299]! };
      const whole = (await tenant.client.data.bars(ticker, { ...span, limit: 1_000 }).first()).bars;
      expect(await collected(tenant.client.data.bars(ticker, { ...span, limit }))).toEqual(whole);
      const lines: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = new URLSearchParams({
          ...span,
          limit: String(limit),
          format: 'csv',
          ...(cursor && { cursor }),
        });
        const response = await fetch(
          `${inject('baseUrl')}/api/v1/data/stocks/${ticker}/bars?${query.toString()}`,
          {
            headers: { authorization: `Bearer ${tenant.key}` },
          },
        );
        expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
        const [header, ...found] = (await response.text()).trimEnd().split('\r\n');
        expect(header).toBe(Object.keys(whole[0]!).join());
        lines.push(...found);
        cursor = response.headers.get('x-next-cursor');
      }
      expect(lines).toEqual(
        whole.map((bar) =>
          Object.values(bar)
            .map((cell) => cell ?? '')
            .join(),
        ),
      );
    },
  );

  test('of one list are refused in another, with other parameters, and once changed', async () => {
    const { ticker } = market[0]!;
    const other = market[1]!.ticker;
    const cursorOf = async (path: string) =>
      (await tenant.rest.get<{ next_cursor: string }>(`/api/v1/data/${path}`)).body.next_cursor;
    const lists = ['stocks?limit=1', `stocks/${ticker}/bars?limit=1`, 'bars?limit=1'];
    const changed = [
      'board=Main',
      'status=listed',
      'interval=week',
      'adjusted=false',
      'adjusted=total',
      `date=${lastDay}`,
    ];
    for (const list of lists) {
      const cursor = await cursorOf(list);
      const refused = [
        ...[...lists, `stocks/${other}/bars?limit=1`].filter((one) => one !== list),
        ...changed.map((change) => `${list}&${change}`),
      ];
      for (const path of refused) {
        const response = await tenant.rest.get(`/api/v1/data/${path}&cursor=${cursor}`);
        expect(errorCode(response), path).toBeOneOf(['invalid_cursor', 'invalid_request']);
      }
      const flipped = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
      expect(errorCode(await tenant.rest.get(`/api/v1/data/${list}&cursor=${flipped}`))).toBe(
        'invalid_cursor',
      );
      expect((await tenant.rest.get(`/api/v1/data/${list}&cursor=${cursor}`)).status).toBe(200);
    }
  });
});

test('bars from a day after the last one are refused and name `from`', async () => {
  const { ticker } = market[0]!;
  const path = `/api/v1/data/stocks/${ticker}/bars?from=2024-02-02&to=2024-02-01`;
  const { status, body } = await tenant.rest.get<{ detail: { loc: string[] }[] }>(path);
  expect([status, body.detail[0]!.loc]).toEqual([422, ['query', 'from']]);
});
