import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { StoredAction } from '../store/action-rows.ts';
import { foldTickers } from './tickers.ts';
import { universesOf, withMembers } from './universes.ts';

const DAYS = ['2024-06-26', '2024-06-27', '2024-06-28'];
const panel = panelOf(DAYS.map((date) => ({ ticker: 'T00', date, close: 100 })));
const joined = (ticker: string, index: string, ex_date: string): StoredAction => ({
  ticker,
  kind: 'index_membership',
  ex_date,
  known_on: ex_date,
  index,
  membership: 'joined',
  status: 'stated',
});
const many = (index: string, count: number) =>
  Array.from({ length: count }, (_, i) => joined(`T${String(i).padStart(2, '0')}`, index, DAYS[1]!));
const loadedWith = (...actions: StoredAction[]) => loadedOf(panel, {}, undefined, actions);
const TABLE = [...many('Three', 3), joined('LATE', 'Three', '2024-07-01')];
const named = (tickers: string[], actions: StoredAction[] = TABLE) =>
  withMembers(loadedWith(...actions), foldTickers(tickers), 'CompareRequest');

describe('in a list of tickers', () => {
  test('a universe stands for its members of the last day, and every ticker counts once', () => {
    expect(named(['BBCA', 'universe:three', 'T01', 'Universe:Three'])).toEqual(['BBCA', 'T00', 'T01', 'T02']);
  });

  test('an unknown universe is not_found, and the error names it and those of the day', () => {
    expect(() => named(['T00', 'universe:two'])).toThrow(
      expect.objectContaining({
        code: 'not_found',
        message: "There is no universe 'TWO' on 2024-06-28, but THREE.",
      }),
    );
    expect(() => named(['universe:two'], [])).toThrow(
      "There is no universe 'TWO' on 2024-06-28: no table of corporate actions states any member up to then.",
    );
    const all = Array.from({ length: 23 }, (_, i) => joined('T00', `I${10 + i}`, DAYS[0]!));
    expect(() => named(['universe:two'], all)).toThrow(/but I10, .*, I29 and 3 more\.$/);
  });

  test('more members than a call may name are too_many_tickers, and the error says how many there are', () => {
    expect(named(['universe:ten'], many('Ten', 10))).toHaveLength(10);
    expect(() => named(['BBCA', 'universe:ten'], many('Ten', 10))).toThrow(
      expect.objectContaining({
        code: 'too_many_tickers',
        message: 'At most 10 tickers a call, got 11: on 2024-06-28 the universe TEN has 10.',
        detail: [
          {
            loc: ['tickers'],
            msg: 'must name at most 10 tickers',
            type: 'too_long',
            input: ['BBCA', 'UNIVERSE:TEN'],
            ctx: { max_length: 10, actual_length: 11 },
          },
        ],
      }),
    );
  });
});

test('the list of universes is as of the trading day up to a day, and empty without a table', () => {
  const three = { name: 'THREE', kind: 'index', members: 3, since: DAYS[1] };
  expect(universesOf(loadedWith(...TABLE), {})).toEqual({
    as_of: DAYS[2],
    universes: [three],
    count: 1,
    dataset_version: 'v1',
  });
  expect(universesOf(loadedWith(...TABLE), { as_of: '2024-07-31' })).toMatchObject({ universes: [three] });
  expect(universesOf(loadedWith(...TABLE), { as_of: DAYS[0] })).toMatchObject({ as_of: DAYS[0], count: 0 });
  expect(universesOf(loadedWith(), {})).toMatchObject({ universes: [], count: 0 });
  expect(() => universesOf(loadedWith(...TABLE), { as_of: '2024-06-01' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});
