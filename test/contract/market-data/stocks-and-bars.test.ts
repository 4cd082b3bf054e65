import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { tickSize } from '#quant/exchange/exchange.ts';
import type { SyntheticTicker } from '#synthetic-market/generate-market.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/fleets/rest.ts';
import { servedMarket } from '#support/markets/served-market.ts';

const tenant = ownTenant();
const RANDOM = { seed: 1, numRuns: 50 };
/** Prices are rounded to four decimals, and stored with seven significant digits. */
const near = (price: number) => expect.closeTo(price, price > 10_000 ? 1 : 2) as number;

let market: SyntheticTicker[];
let version: string;
let lastDay: string;
beforeAll(async () => {
  ({ version, lastDay, market } = await servedMarket(tenant.rest));
});

interface Row {
  date: string;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volume: number;
  value: number;
  frequency: number;
}

/**
 * The rows of a stock as an application expects them, adjusted to the last one if wanted: every reference price that differs from the
 * close before it restates all earlier prices, and share counts too if the listed shares confirm a split.
 */
function expectedRows({ rows }: SyntheticTicker, adjusted: boolean): (Row & { reference_price: number })[] {
  let [price, share] = [1, 1];
  return rows.date
    .map((date, i) => {
      const [low, high, previous] = [rows.low[i]!, rows.high[i]!, rows.previous[i]!];
      const open = Math.max(low, Math.min(high, rows.open_price[i]! || previous || rows.close[i]!));
      const hasTraded = rows.volume[i]! > 0;
      return { i, date, previous, prices: hasTraded ? [open, high, low, rows.close[i]!] : undefined };
    })
    .toReversed()
    .map(({ i, date, previous, prices }) => {
      const [open = null, high = null, low = null, close = null] = prices?.map((one) => one * price) ?? [];
      const row = {
        ...{ date, open, high, low, close, reference_price: previous * price },
        volume: rows.volume[i]! * share,
        value: rows.value[i]!,
        frequency: rows.frequency[i]!,
      };
      if (adjusted && i > 0 && previous > 0)
        [price, share] = [price * adjustment(rows, i), share / shareRatio(rows, i)];
      return row;
    })
    .toReversed();
}

/** A split has the ratio of its shares, of which the reference price is rounded. */
function adjustment(rows: SyntheticTicker['rows'], i: number): number {
  return shareRatio(rows, i) === 1 ? priceRatio(rows, i) : shareRatio(rows, i);
}

function priceRatio({ previous, close }: SyntheticTicker['rows'], i: number): number {
  return previous[i]! / close[i - 1]!;
}

/** 1 unless the listed shares changed as much as the price. */
function shareRatio(rows: SyntheticTicker['rows'], i: number): number {
  const ratio = rows.listed_shares[i - 1]! / rows.listed_shares[i]!;
  const isSplit = priceRatio(rows, i) !== 1 && (ratio >= 1.25 || ratio <= 0.8);
  return isSplit && Math.abs(ratio / priceRatio(rows, i) - 1) <= 0.1 ? ratio : 1;
}

/** What these rows are as one bar. */
function asBar(rows: readonly Row[]) {
  const traded = rows.filter(({ close }) => close !== null);
  const sum = (of: (row: Row) => number) => traded.reduce((total, row) => total + of(row), 0);
  const hasTraded = traded.length > 0;
  return {
    last_date: rows.at(-1)!.date,
    traded_days: traded.length,
    open: hasTraded ? near(traded[0]!.open!) : null,
    high: hasTraded ? near(Math.max(...traded.map(({ high }) => high!))) : null,
    low: hasTraded ? near(Math.min(...traded.map(({ low }) => low!))) : null,
    close: hasTraded ? near(traded.at(-1)!.close!) : null,
    volume: expect.closeTo(
      sum(({ volume }) => volume),
      -1,
    ) as number,
    value: sum(({ value }) => value),
    frequency: sum(({ frequency }) => frequency),
  };
}

/** Monday of the ISO week of a day. */
function mondayOf(date: string): string {
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Random stocks of the market, each with the number of one of its rows. */
function randomRows(): { company: SyntheticTicker; i: number }[] {
  const draws = fc.sample(fc.tuple(fc.nat(), fc.nat()), RANDOM);
  return draws.map(([stock, row]) => {
    const company = market[stock % market.length]!;
    return { company, i: row % company.rows.date.length };
  });
}

/** Stocks that were split, with the number of the first row after it. */
function splits(): { company: SyntheticTicker; i: number }[] {
  return market.flatMap((company) => {
    const i = company.rows.date.findIndex((_, row) => row > 0 && shareRatio(company.rows, row) !== 1);
    return i < 0 ? [] : [{ company, i }];
  });
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

  test('finds stocks by the beginning of the code, by words of the name, by sector and by board', async () => {
    const { ticker, name, sector, board } = market[7]!;
    const find = async (query: object) =>
      (await collected(tenant.client.data.stocks(query))).map((stock) => stock.ticker);
    const having = (isOne: (company: SyntheticTicker) => boolean) =>
      market.filter(isOne).map((company) => company.ticker);
    expect(await find({ search: ticker.toLowerCase() })).toContain(ticker);
    expect(await find({ search: name.split(' ').toReversed().join(' ').toUpperCase() })).toContain(ticker);
    expect(await find({ sector: sector.toLowerCase() })).toEqual(having((one) => one.sector === sector));
    expect(await find({ board, sector })).toEqual(
      having((one) => one.sector === sector && one.board === board),
    );
    expect(await find({ search: 'no such company' })).toEqual([]);
  });

  test('as of a past day, has the stocks that had a row by then', async () => {
    const as_of = market[0]!.rows.date[100]!;
    const { stocks } = await tenant.client.data.stocks({ as_of, limit: 1_000 }).first();
    const known = market.filter(({ rows }) => rows.date[0]! <= as_of);
    expect(known.length).toBeLessThan(market.length);
    expect(stocks.map(({ ticker, last_date }) => [ticker, last_date])).toEqual(
      known.map(({ ticker, rows }) => [ticker, rows.date.findLast((date) => date <= as_of)]),
    );
  });
});

describe('bars of a stock', () => {
  test('on fifty random days are what the exchange’s rows say, adjusted or not', async () => {
    for (const { company, i } of randomRows()) {
      const { ticker, rows } = company;
      const span = { from: rows.date[i]!, to: rows.date[i]! };
      for (const adjusted of [true, false]) {
        const page = await tenant.client.data.bars(ticker, { ...span, adjusted: `${adjusted}` }).first();
        const expected = expectedRows(company, adjusted)[i]!;
        expect(page, `${ticker} ${span.from}`).toEqual({
          ...{ ticker, interval: 'day', count: 1, next_cursor: null, has_more: false, is_partial: false },
          ...{ dataset_version: version, adjusted, adjusted_to: adjusted ? lastDay : null },
          ...{ reinvests_dividends: false, dividends: null },
          bars: [
            {
              date: span.from,
              ...asBar([expected]),
              reference_price: expected.reference_price > 0 ? near(expected.reference_price) : null,
            },
          ],
        });
      }
    }
  });

  test('around a split are continuous if adjusted, but for the tick, and else the prices of the day', async () => {
    expect(splits().length).toBeGreaterThan(0);
    for (const { company, i } of splits()) {
      const { ticker, rows } = company;
      const span = { from: rows.date[i - 1]!, to: rows.date[i]! };
      const [before, after] = (await tenant.client.data.bars(ticker, { ...span, adjusted: 'false' }).first())
        .bars;
      if (before!.close !== null) expect(before!.close).toBe(rows.close[i - 1]);
      expect(after!.reference_price).toBe(rows.previous[i]);
      const adjusted = (await tenant.client.data.bars(ticker, span).first()).bars;
      const reference = adjusted[1]!.reference_price!;
      const roundedBy = Math.abs(reference - (adjusted[0]!.close ?? reference));
      expect(roundedBy, ticker).toBeLessThanOrEqual(tickSize(reference) / 2);
    }
  });

  test.each([
    ['week', mondayOf],
    ['month', (date: string) => `${date.slice(0, 7)}-01`],
  ] as const)('by %s sum up the days of each, of random and of split stocks', async (interval, periodOf) => {
    for (const { company } of [...randomRows().slice(0, 8), ...splits().slice(0, 4)]) {
      for (const adjusted of [true, false]) {
        const requested = { interval, adjusted: `${adjusted}` } as const;
        const bars = await collected(tenant.client.data.bars(company.ticker, requested));
        const groups = Map.groupBy(expectedRows(company, adjusted), ({ date }) => periodOf(date));
        expect(bars.map(({ reference_price: _, ...bar }) => bar)).toEqual(
          [...groups].map(([date, rows]) => ({ date, ...asBar(rows) })),
        );
      }
    }
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

test.each([
  ['stocks?limit=0', 'limit'],
  ['stocks?limit=1001', 'limit'],
  ['stocks?status=gone', 'status'],
  ['stocks?as_of=today', 'as_of'],
  ['stocks?search=', 'search'],
  ['stocks/AAAA/bars?interval=year', 'interval'],
  ['stocks/AAAA/bars?adjusted=maybe', 'adjusted'],
  ['stocks/AAAA/bars?from=2024-02-30', 'from'],
  ['stocks/AAAA/bars?format=xml', 'format'],
  ['bars?date=yesterday', 'date'],
  ['bars?surprise=1', 'surprise'],
])('%s is refused as invalid_request and names the field', async (path, field) => {
  const response = await tenant.rest.get<{ detail: { loc: string[] }[] }>(`/api/v1/data/${path}`);
  expect([response.status, errorCode(response as never)]).toEqual([422, 'invalid_request']);
  expect(response.body.detail.map(({ loc }) => loc)).toContainEqual(['query', field]);
});

test('total returns of a market whose table has no dividends are not found, rather than equal to the price', async () => {
  for (const path of [`stocks/${market[0]!.ticker}/bars`, 'bars'])
    for (const format of ['json', 'csv']) {
      const response = await tenant.rest.get(`/api/v1/data/${path}?adjusted=total&format=${format}`);
      expect([response.status, errorCode(response)]).toEqual([404, 'not_found']);
      expect(response.body).toMatchObject({ error: { message: expect.stringContaining(version) as string } });
    }
});

test('bars from a day after the last one are refused and name `from`', async () => {
  const { ticker } = market[0]!;
  const path = `/api/v1/data/stocks/${ticker}/bars?from=2024-02-02&to=2024-02-01`;
  const { status, body } = await tenant.rest.get<{ detail: { loc: string[] }[] }>(path);
  expect([status, body.detail[0]!.loc]).toEqual([422, ['query', 'from']]);
});
