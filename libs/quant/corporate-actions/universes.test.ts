import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StatedAction } from './corporate-action.ts';
import { Universes, universeName } from './universes.ts';

const LAST = '2024-12-30';
const day = (n: number) => `2024-03-${String(n).padStart(2, '0')}`;
const of = (ticker: string, ex_date: string, known_on = ex_date) => ({ ticker, ex_date, known_on });
const lq45 = (ticker: string, membership: 'joined' | 'left', ex_date: string, known_on?: string) =>
  ({ ...of(ticker, ex_date, known_on), kind: 'index_membership', index: 'LQ45', membership }) as const;
const move = (ticker: string, board: string, ex_date: string) =>
  ({ ...of(ticker, ex_date), kind: 'board_move', board }) as const;
const delisting = (ticker: string, ex_date: string) =>
  ({ ...of(ticker, ex_date), kind: 'delisting' }) as const;
const renamed = (ticker: string, new_ticker: string, ex_date: string) =>
  ({ ...of(ticker, ex_date), kind: 'ticker_change', new_ticker }) as const;
const membersOn = (actions: StatedAction[], days: string[], universe = 'LQ45') =>
  days.map((date) => new Universes(actions, LAST).membersOf(universe, date)?.join());

describe('the members of a universe', () => {
  test('are those that joined and have not left, ordered by ticker, whatever the order of the table', () => {
    const table = [
      lq45('BBBB', 'left', day(20)),
      lq45('CCCC', 'joined', day(20)),
      lq45('BBBB', 'joined', day(1)),
      lq45('AAAA', 'joined', day(1)),
      lq45('BBBB', 'joined', day(25)),
    ];
    expect(membersOn(table, [day(19), day(20), day(25)])).toEqual([
      'AAAA,BBBB',
      'AAAA,CCCC',
      'AAAA,BBBB,CCCC',
    ]);
  });

  test('change neither before the change has happened nor before it is known', () => {
    const announced = lq45('AAAA', 'joined', day(20), day(10));
    expect(membersOn([announced], [day(10), day(19), day(20)])).toEqual([undefined, undefined, 'AAAA']);
    const late = lq45('AAAA', 'left', day(22), day(26));
    expect(membersOn([announced, late], [day(22), day(25), day(26)])).toEqual(['AAAA', 'AAAA', '']);
  });

  test('that became known after a later change do not come back by it', () => {
    const table = [
      lq45('AAAA', 'joined', day(1), day(9)),
      lq45('AAAA', 'left', day(5)),
      lq45('BBBB', 'joined', day(1)),
    ];
    expect(membersOn(table, [day(8), day(9)])).toEqual(['BBBB', 'BBBB']);
  });

  test('are none while the last of them has left, and unknown before the first is known', () => {
    const table = [lq45('AAAA', 'joined', day(5)), lq45('AAAA', 'left', day(9))];
    expect(membersOn(table, [day(4), day(5), day(9)])).toEqual([undefined, 'AAAA', '']);
    expect(membersOn([lq45('AAAA', 'left', day(5))], [day(9)])).toEqual([undefined]);
  });

  test('leave with their delisting, also from the monitoring board', () => {
    const table = [
      lq45('AAAA', 'joined', day(1)),
      move('AAAA', 'Pemantauan Khusus', day(1)),
      delisting('AAAA', day(9)),
    ];
    for (const universe of ['LQ45', 'MONITORING'])
      expect(membersOn(table, [day(8), day(9)], universe)).toEqual(['AAAA', '']);
  });

  test('of the monitoring board come and go with moves between boards, by any of its names', () => {
    const table = [
      move('AAAA', 'Papan Pemantauan Khusus', day(1)),
      move('BBBB', 'Watchlist', day(2)),
      move('CCCC', 'Special Monitoring Board', day(3)),
      move('DDDD', 'Utama', day(3)),
      move('AAAA', 'Pengembangan', day(4)),
    ];
    expect(membersOn(table, [day(3), day(4)], 'monitoring')).toEqual(['AAAA,BBBB,CCCC', 'BBBB,CCCC']);
    expect(membersOn([move('DDDD', 'Utama', day(3))], [day(4)], 'monitoring')).toEqual([undefined]);
  });

  test('bear the last ticker of a renamed stock, and a stock that gets the old one later is another', () => {
    const table = [
      lq45('AAAA', 'joined', day(1)),
      renamed('AAAA', 'BBBB', day(5)),
      lq45('BBBB', 'left', day(8)),
      lq45('AAAA', 'joined', day(9)),
    ];
    expect(membersOn(table, [day(4), day(7), day(8), day(9)])).toEqual(['BBBB', 'BBBB', '', 'AAAA']);
  });
});

test('a universe is named in any case, whatever stands between letters and digits', () => {
  expect(
    ['lq45', ' LQ45 ', 'IDX High  Dividend 20', 'idx-high_dividend.20', '—', 'é'].map(universeName),
  ).toEqual(['LQ45', 'LQ45', 'IDX-HIGH-DIVIDEND-20', 'IDX-HIGH-DIVIDEND-20', '', '']);
});

test('the universes of a day have their kind, number of members and the day since which any is known', () => {
  const table: StatedAction[] = [
    lq45('AAAA', 'joined', day(5), day(7)),
    lq45('BBBB', 'joined', day(9)),
    { ...of('AAAA', day(8)), kind: 'sharia_list', membership: 'joined' },
    move('CCCC', 'Pemantauan Khusus', day(20)),
  ];
  const universes = new Universes(table, LAST);
  expect(universes.on(day(6))).toEqual([]);
  expect(universes.on(day(9))).toEqual([
    { name: 'LQ45', kind: 'index', members: 2, since: day(7) },
    { name: 'SHARIA', kind: 'sharia_list', members: 1, since: day(8) },
  ]);
  expect(universes.on(LAST)).toMatchObject([
    {},
    { name: 'MONITORING', kind: 'monitoring_board', members: 1, since: day(20) },
    {},
  ]);
});

test('rows that happen or become known after a day change nothing of that day', () => {
  const dates = fc.integer({ min: 1, max: 28 }).map(day);
  const rows = fc.array(
    fc
      .record({ ticker: fc.constantFrom('AAAA', 'BBBB', 'CCCC'), ex_date: dates, known_on: dates })
      .chain((at) =>
        fc.constantFrom<StatedAction>(
          { ...at, kind: 'index_membership', index: 'LQ45', membership: 'joined' },
          { ...at, kind: 'index_membership', index: 'lq45', membership: 'left' },
          { ...at, kind: 'sharia_list', membership: 'joined' },
          { ...at, kind: 'board_move', board: 'Pemantauan Khusus' },
          { ...at, kind: 'board_move', board: 'Utama' },
          { ...at, kind: 'delisting' },
        ),
      ),
    { maxLength: 20 },
  );
  const seen = (table: StatedAction[], date: string) => {
    const universes = new Universes(table, LAST);
    return universes.on(date).map((one) => ({ ...one, tickers: universes.membersOf(one.name, date) }));
  };
  fc.assert(
    fc.property(rows, dates, (table, date) => {
      const until = table.filter(({ ex_date, known_on }) => ex_date <= date && known_on <= date);
      const then = seen(until, date);
      expect(seen(table, date)).toEqual(then);
      for (const { members, tickers } of then) expect(tickers).toHaveLength(members);
    }),
  );
});
