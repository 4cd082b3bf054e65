import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mondayOf } from '#shared/jakarta-time.ts';
import { makeFolder, removeFolders } from '#support/fleets/cli-surroundings.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { errorCode } from '#support/fleets/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { idxFile, weekdays, type IdxDay } from '#support/markets/idx-archive.ts';
import { own } from './fleet.ts';

const DAYS = weekdays('2024-04-01', 60);
const SPLIT = 25;
const HALTED = 39;
/** Two shares for one from the split on, and no trade on the day before the last ex-day. */
const ROWS = DAYS.map((date, i) => {
  const shares = i < SPLIT ? 1 : 2;
  const close = (1_000 + 10 * (((i === HALTED ? i - 1 : i) * 7) % 23)) / shares;
  return { date, close, volume: i === HALTED ? 0 : 1_000 + i, listed_shares: shares * 1_000_000, shares };
});
const FILE: IdxDay[] = ROWS.map(({ shares, ...day }, i) => {
  const before = ROWS[Math.max(0, i - 1)]!;
  return { ...day, previous: (before.close * before.shares) / shares };
});
/** Dividends by the row of their ex-day. Those that are known after the last day, and those of coming days, count nowhere. */
const COUNTED = new Map([
  [10, 40],
  [SPLIT, 15],
  [HALTED + 1, 25],
]);
const dividend = (exDate: string, knownOn: string, amount: number) =>
  `AAAA,dividend,${exDate},${knownOn},,${amount}`;
const TABLE = [
  'ticker,kind,ex_date,known_on,ratio,amount',
  `AAAA,split,${DAYS[SPLIT]},2024-03-20,2,`,
  ...[...COUNTED].map(([row, amount]) => dividend(DAYS[row]!, '2024-03-20', amount)),
  dividend(DAYS[20]!, '2099-01-01', 90),
  dividend('2099-01-01', DAYS[50]!, 90),
];

interface Bar {
  date: string;
  close: number | null;
  high: number | null;
  low: number | null;
  volume: number;
}
interface Page {
  bars: Bar[];
  adjusted: boolean;
  reinvests_dividends: boolean;
  dividends: number | null;
  next_cursor: string | null;
  dataset_version: string;
}
interface Snapshot {
  returns: { days: number; total_return_pct: number }[];
}

afterAll(removeFolders);

async function importTable(lines: string[], replaces: boolean): Promise<void> {
  const folder = await makeFolder();
  const files = { 'actions.csv': [...lines, ''].join('\n') };
  const bars = { 'AAAA.csv': idxFile(FILE), 'BBBB.csv': idxFile(DAYS.map((date) => ({ date, close: 70 }))) };
  for (const [name, text] of Object.entries(replaces ? { ...files, ...bars } : files))
    await writeFile(path.join(folder, name), text);
  const words = ['dataset', 'import', folder, ...(replaces ? ['--replace'] : [])];
  expect(await saring(own.fleet.stateDir, ...words)).toMatchObject({ code: 0 });
}

const get = <Body = Page>(where: string) => own.rest.get<Body>(`/api/v1/data/${where}`);
const page = async (query: string) => (await get(`stocks/AAAA/bars?${query}`)).body;
const refusal = async (query: string) =>
  errorCode(await get<Record<string, unknown>>(`stocks/AAAA/bars?${query}`));

/** The closes that an investor computes who buys more at the close of each ex-day, in the terms of the last day. */
function expectedCloses(): (number | null)[] {
  let shares = 1;
  const worth = ROWS.map(({ close, shares: split }, i) => {
    shares *= 1 + (COUNTED.get(i) ?? 0) / close;
    return close * split * shares;
  });
  const last = ROWS.at(-1)!.close / worth.at(-1)!;
  return ROWS.map(({ volume }, i) => (volume > 0 ? worth[i]! * last : null));
}
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 2)) as number | null;

/** What the rows are as bars of longer periods. */
function expectedBars(periodOf: (date: string) => string) {
  const closes = expectedCloses();
  const rows = ROWS.map(({ date, volume, shares }, i) => ({
    date,
    volume: (volume * 2) / shares,
    close: closes[i]!,
  }));
  return [...Map.groupBy(rows, ({ date }) => periodOf(date))].map(([date, group]) => {
    const traded = group.flatMap(({ close }) => close ?? []);
    return {
      date,
      close: near(traded.at(-1)!),
      high: near(Math.max(...traded)),
      low: near(Math.min(...traded)),
      volume: group.reduce((sum, { volume }) => sum + volume, 0),
    };
  });
}

describe('bars with dividends in the table', () => {
  beforeAll(async () => {
    await importTable(TABLE, true);
    const areServed = async () => expect((await get('bars?adjusted=total')).status).toBe(200);
    await vi.waitFor(areServed, { timeout: 60_000, interval: 200 });
  });

  test('total-return bars change by what an investor has who reinvests each dividend that is known, and say so', async () => {
    const answer = await page('adjusted=total&limit=1000');
    expect(answer).toMatchObject({ adjusted: true, reinvests_dividends: true, dividends: COUNTED.size });
    expect(answer.bars.map(({ close }) => close)).toEqual(expectedCloses().map(near));
    const priced = await page('limit=1000');
    expect(priced).toMatchObject({ adjusted: true, reinvests_dividends: false, dividends: COUNTED.size });
    expect(priced.bars.map(({ volume }) => volume)).toEqual(answer.bars.map(({ volume }) => volume));
    const { returns } = (await get<Snapshot>('stocks/AAAA')).body;
    const closes = answer.bars.flatMap(({ close }) => close ?? []);
    for (const { days, total_return_pct } of returns.filter(({ days }) => days < closes.length))
      expect(total_return_pct).toBeCloseTo(100 * (closes.at(-1)! / closes.at(-1 - days)! - 1), 2);
  });

  test.each([
    ['week', mondayOf],
    ['month', (date: string) => `${date.slice(0, 7)}-01`],
  ])('total-return bars by %s sum up those of its days', async (interval, periodOf) => {
    const { bars } = await page(`adjusted=total&interval=${interval}`);
    expect(bars).toMatchObject(expectedBars(periodOf));
  });

  test('pages of total-return bars hold every bar once, as JSON and as CSV, and none continues with another adjustment', async () => {
    const whole = (await page('adjusted=total')).bars;
    const [json, csv]: [Bar[], string[]] = [[], []];
    const { base_url } = await own.fleet.file();
    const { key } = await issueKey(own.fleet.stateDir, 'data:read');
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `adjusted=total&limit=7${cursor && `&cursor=${cursor}`}`;
      const { bars, next_cursor } = await page(query);
      json.push(...bars);
      const response = await fetch(`${base_url}/api/v1/data/stocks/AAAA/bars?${query}&format=csv`, {
        headers: { authorization: `Bearer ${key}` },
      });
      csv.push(...(await response.text()).trimEnd().split('\r\n').slice(1));
      expect(response.headers.get('x-next-cursor')).toBe(next_cursor);
      if (next_cursor !== null) expect(await refusal(`limit=7&cursor=${next_cursor}`)).toBe('invalid_cursor');
      cursor = next_cursor;
    }
    expect(json).toEqual(whole);
    const lineOf = (bar: Bar) =>
      (Object.values(bar) as (string | number | null)[]).map((cell) => cell ?? '').join();
    expect(csv).toEqual(whole.map(lineOf));
  });

  test('total-return bars of a day are those of each stock, and a stock without dividends has its price', async () => {
    const date = DAYS[30]!;
    const { bars, dividends } = (await get(`bars?date=${date}&adjusted=total`)).body;
    expect(dividends).toBe(COUNTED.size);
    expect(bars.map(({ close }) => close)).toEqual([near(expectedCloses()[30]!), 70]);
    expect((await get('stocks/BBBB/bars?adjusted=total')).body).toMatchObject({ dividends: 0 });
  });

  test('without any dividend in the table there are no total returns, and price bars say that none is known', async () => {
    const withDividends = (await page('limit=1')).dataset_version;
    await importTable(
      TABLE.filter((line) => !line.includes('dividend')),
      false,
    );
    await expect.poll(async () => (await page('limit=1')).dataset_version).not.toBe(withDividends);
    expect(await refusal('adjusted=total')).toBe('not_found');
    expect(await page('limit=1')).toMatchObject({ reinvests_dividends: false, dividends: null });
  });
});
