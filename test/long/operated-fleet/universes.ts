import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { makeFolder, removeFolders } from '#support/fleets/cli-surroundings.ts';
import { issueKey } from '#support/fleets/issued-keys.ts';
import { type Rest } from '#support/rest/rest.ts';
import { saring } from '#support/fleets/saring-cli.ts';
import { idxDayFile, weekdays } from '#support/markets/idx-archive.ts';
import { volumeOn } from '#support/markets/next-day.ts';
import { own } from './fleet.ts';
import { IN_TIME } from '#support/hangs.ts';

const DAYS = weekdays('2024-06-24', 5);
const [FIRST, BEFORE, CHANGE, EVE, LAST] = DAYS as [string, string, string, string, string];
const NEXT_WEEK = '2024-07-05';
/** More than any list of tickers may name. */
const TICKERS = Array.from({ length: 55 }, (_, i) => `Q${String(i).padStart(2, '0')}`);

const HEADER = 'ticker,kind,ex_date,known_on,index,membership,board\n';
const inIndex = (index: string, ticker: string, membership: string, ex_date: string, known_on: string) =>
  `${ticker},index_membership,${ex_date},${known_on},${index},${membership},\n`;
const TABLE = [
  ...['Q00', 'Q01', 'Q02'].map((ticker) => inIndex('LQ45', ticker, 'joined', FIRST, '2024-06-20')),
  inIndex('LQ45', 'Q02', 'left', CHANGE, BEFORE),
  // Known two days after it has happened.
  inIndex('LQ45', 'Q03', 'joined', CHANGE, LAST),
  inIndex('IDX High Dividend 20', 'Q05', 'joined', FIRST, FIRST),
  inIndex('IDX High Dividend 20', 'Q05', 'left', LAST, EVE),
  inIndex('JII', 'GONE', 'joined', FIRST, FIRST),
  ...TICKERS.map((ticker) => `${ticker},sharia_list,${BEFORE},${FIRST},,joined,\n`),
  `Q04,board_move,${EVE},${EVE},,,Pemantauan Khusus\n`,
];
/** All of it happens or becomes known after the last day but one. */
const LATER = [
  inIndex('LQ45', 'Q00', 'left', BEFORE, LAST),
  inIndex('LQ45', 'Q06', 'joined', LAST, FIRST),
  inIndex('LQ45', 'Q07', 'joined', FIRST, LAST),
  inIndex('LATE', 'Q08', 'joined', FIRST, LAST),
  `Q09,board_move,${FIRST},${NEXT_WEEK},,,Pemantauan Khusus\n`,
  `Q04,delisting,${LAST},${FIRST},,,\n`,
];

let rest: Rest;
afterAll(removeFolders);

function bars(): Record<string, string> {
  const files = DAYS.map((date) => {
    const rows = TICKERS.map((ticker, i) => ({
      ...{ ticker, date, close: 100, volume: volumeOn(date), foreign_buy: 10 + i },
      ...{ non_regular_volume: 10 + i, non_regular_value: 100 * (10 + i), non_regular_frequency: 1 },
    }));
    return [`${date}.csv`, idxDayFile(rows)];
  });
  return Object.fromEntries(files) as Record<string, string>;
}

/** Imports these files and waits until the gateway answers from them. */
async function serve(files: Record<string, string>): Promise<void> {
  const folder = await makeFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  const version = async () => (await rest.get('/api/v1/data/universes')).body['dataset_version'];
  const before = await version();
  const imported = await saring(own.fleet.stateDir, 'dataset', 'import', folder, '--replace');
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  await vi.waitFor(async () => expect(await version()).not.toBe(before), IN_TIME);
}

const universesOn = async (day: string) =>
  (await rest.get<Schemas['Universes']>(`/api/v1/data/universes?as_of=${day}`)).body.universes;
const stocksIn = async (universe: string, day = LAST) => {
  const { body } = await rest.get<Schemas['Stocks']>(
    `/api/v1/data/stocks?universe=${universe}&as_of=${day}&limit=1000`,
  );
  return body.stocks.map(({ ticker }) => ticker);
};
const quotes = (list: string) =>
  rest.get<Schemas['Quotes']>(`/api/v1/data/quotes?tickers=${encodeURIComponent(list)}`);

describe('universes of the operator’s table', () => {
  beforeAll(async () => {
    const { key } = await issueKey(own.fleet.stateDir, 'data:read');
    rest = own.rest.as(key);
    await serve({ 'actions.csv': HEADER + TABLE.join(''), ...bars() });
  });

  test('are listed with kind, number of members and the day since which any is known', async () => {
    expect(await universesOn(FIRST)).toEqual([
      { name: 'IDX-HIGH-DIVIDEND-20', kind: 'index', members: 1, since: FIRST },
      { name: 'JII', kind: 'index', members: 1, since: FIRST },
      { name: 'LQ45', kind: 'index', members: 3, since: FIRST },
    ]);
    expect(await universesOn(LAST)).toEqual([
      { name: 'IDX-HIGH-DIVIDEND-20', kind: 'index', members: 0, since: FIRST },
      { name: 'JII', kind: 'index', members: 1, since: FIRST },
      { name: 'LQ45', kind: 'index', members: 3, since: FIRST },
      { name: 'MONITORING', kind: 'monitoring_board', members: 1, since: EVE },
      { name: 'SHARIA', kind: 'sharia_list', members: 55, since: BEFORE },
    ]);
  });

  test('have the members of the day that was asked for, and a change counts once it is known', async () => {
    expect(await stocksIn('lq45', BEFORE)).toEqual(['Q00', 'Q01', 'Q02']);
    expect(await stocksIn('lq45', EVE)).toEqual(['Q00', 'Q01']);
    expect(await stocksIn('LQ45', LAST)).toEqual(['Q00', 'Q01', 'Q03']);
    expect(await stocksIn('monitoring', EVE)).toEqual(['Q04']);
    expect(await stocksIn('sharia')).toEqual(TICKERS);
    expect(await stocksIn('idx high dividend 20')).toEqual([]);
  });

  test('stand for their members in every list of tickers, beside tickers', async () => {
    const { body } = await quotes('universe:lq45,q10,Q00');
    expect(Object.keys(body.quotes).toSorted()).toEqual(['Q00', 'Q01', 'Q03', 'Q10']);
    const tickers = ['Q10', 'universe:LQ45', 'universe:JII'];
    const compared = await rest.post('/api/v1/data/compare', { tickers });
    expect(compared.body).toMatchObject({ tickers: ['Q10', 'Q00', 'Q01', 'Q03'], missing: ['GONE'] });
    const turning = await rest.post<Schemas['TurningPoints']>('/api/v1/data/turning-points', { tickers });
    expect(turning.body.turning_points.map(({ ticker }) => ticker)).toEqual(['Q10', 'Q00', 'Q01', 'Q03']);
    expect(turning.body.missing).toEqual(['GONE']);
  });

  test('select from lists of the market before these are cut to their length', async () => {
    const found = async (path: string, list: string) => {
      const url = `/api/v1/data/${path}&top_n=2&universe=lq45`;
      const { body } = await rest.get<Record<string, { ticker: string }[]>>(url);
      return body[list]!.map(({ ticker }) => ticker);
    };
    expect(await found(`nego?min_val=0&date=${BEFORE}`, 'items')).toEqual(['Q02', 'Q01']);
    expect(await found('nego?min_val=0', 'items')).toEqual(['Q03', 'Q01']);
    expect(await found('nego/window?min_val=0', 'items')).toEqual(['Q03', 'Q01']);
    const floors = 'min_abs_val=0&min_price=0&min_daily_val=0';
    expect(await found(`flows?${floors}`, 'inflow')).toEqual(['Q03', 'Q01']);
  });

  test('without members have no quotes, and cannot be compared', async () => {
    const [empty, compared] = await Promise.all([
      quotes('universe:idx-high-dividend-20'),
      rest.post('/api/v1/data/compare', { tickers: ['universe:idx-high-dividend-20'] }),
    ]);
    expect([empty.status, empty.body.quotes]).toEqual([200, {}]);
    expect(compared.body).toMatchObject({
      error: { code: 'not_found', message: 'The named universes have no members.' },
    });
  });

  test('of a day stay the same when rows are added that happen or become known later', async () => {
    const ofDay = async (day: string) => ({
      universes: await universesOn(day),
      members: await Promise.all(['lq45', 'jii', 'idx high dividend 20'].map((name) => stocksIn(name, day))),
    });
    const earlier = DAYS.slice(0, -1);
    const seen = await Promise.all(earlier.map(ofDay));
    await serve({ 'actions.csv': HEADER + [...TABLE, ...LATER].join('') });
    expect(await Promise.all(earlier.map(ofDay))).toEqual(seen);
    expect(await stocksIn('lq45')).toEqual(['Q01', 'Q03', 'Q06', 'Q07']);
    expect(await stocksIn('monitoring')).toEqual([]);
    expect((await universesOn(LAST)).map(({ name }) => name)).toContain('LATE');
  });
});
