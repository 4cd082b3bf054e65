import { describe, expect, test } from 'vitest';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import { StockActions } from '../in-memory/stock-actions.ts';
import type { StoredAction } from '../store/action-rows.ts';
import { holdingReturnsOf } from './holding-returns.ts';
import { actionsOf, recentActions, type ActionsRequest } from './actions.ts';

const cursors = new CursorSigner(['cursor-secret-of-a-test']);
const day = (n: number) => `2024-07-${String(n).padStart(2, '0')}`;
const bar = (n: number, factor = 1, share_factor = factor): BarFixture => ({
  ticker: 'AAAA',
  date: day(n),
  close: 100,
  factor,
  share_factor,
});
const panel = panelOf([bar(1), bar(2, 0.2), bar(3, 0.9, 1), bar(4, 10), bar(5, 1.1, 1), bar(8, 0.5), bar(9)]);
const of = { ticker: 'AAAA', known_on: day(1) };
const TABLE: StoredAction[] = [
  { ...of, kind: 'split', ex_date: day(6), ratio: 2, status: 'confirmed', applied_on: day(8), source: 'IDX' },
  { ...of, kind: 'dividend', ex_date: day(9), amount: 12.5, status: 'stated' },
  { ...of, kind: 'index_membership', ex_date: day(9), index: 'LQ45', membership: 'joined', status: 'stated' },
  { ...of, kind: 'index_membership', ex_date: day(9), index: 'IDX30', membership: 'left', status: 'stated' },
  { ...of, kind: 'rights', ex_date: day(9), status: 'overruled' },
  { ...of, kind: 'delisting', ex_date: '2025-01-06', status: 'stated' },
];
const loaded = loadedOf(panel, {}, undefined, TABLE);
const ask = (request: Partial<ActionsRequest> = {}) =>
  actionsOf(loaded, { ticker: 'aaaa', limit: 100, ...request }, cursors);
const brief = (request: Partial<ActionsRequest> = {}) =>
  ask(request).actions.map(({ ex_date, kind, status }) => `${ex_date} ${kind} ${status}`);

test('stated and detected actions are listed together, latest first, each detection once', () => {
  expect(brief()).toEqual([
    '2025-01-06 delisting stated',
    `${day(9)} dividend stated`,
    `${day(9)} index_membership stated`,
    `${day(9)} index_membership stated`,
    `${day(9)} rights overruled`,
    `${day(6)} split confirmed`,
    `${day(5)} unexplained detected`,
    `${day(4)} reverse_split detected`,
    `${day(3)} rights detected`,
    `${day(2)} split detected`,
  ]);
});

test('an action tells its terms, its source and by how much it restates prices', () => {
  const find = (kind: string, status: string) =>
    ask().actions.find((action) => action.kind === kind && action.status === status);
  expect(find('split', 'confirmed')).toMatchObject({
    ratio: 2,
    price_factor: 0.5,
    source: 'IDX',
    known_on: day(1),
  });
  const splitSeen = find('split', 'detected');
  expect(splitSeen).toMatchObject({
    ratio: 5,
    price_factor: 0.2,
    known_on: day(2),
  });
  expect(splitSeen).not.toHaveProperty('source');
  expect(find('reverse_split', 'detected')).toMatchObject({ ratio: 0.1, price_factor: 10 });
  expect(find('rights', 'detected')).toMatchObject({ ratio: undefined, price_factor: 0.9 });
  expect(find('rights', 'overruled')).toMatchObject({ price_factor: undefined });
  expect(find('dividend', 'stated')).toMatchObject({ amount: 12.5, price_factor: undefined });
});

test('from, to and kind select', () => {
  expect(brief({ from: day(4), to: day(6) })).toEqual([
    `${day(6)} split confirmed`,
    `${day(5)} unexplained detected`,
    `${day(4)} reverse_split detected`,
  ]);
  expect(brief({ kind: 'rights' })).toEqual([`${day(9)} rights overruled`, `${day(3)} rights detected`]);
  expect(() => ask({ from: day(6), to: day(4) })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }) as Error,
  );
  expect(() => ask({ ticker: 'BBBB' })).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
});

describe('pages', () => {
  test.each([1, 2, 3, 7])('of %i hold every action once, in order', (limit) => {
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = ask({ limit, cursor });
      seen.push(...page.actions);
      expect(page.count).toBe(page.actions.length);
      expect(page.has_more).toBe(page.next_cursor !== undefined);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ask().actions);
  });

  test('go on after the same action when another one was added before it', () => {
    const { next_cursor } = ask({ limit: 2 });
    const added: StoredAction = { ...of, kind: 'suspension', ex_date: '2025-01-02', status: 'stated' };
    const later = loadedOf(panel, {}, undefined, [...TABLE, added]);
    const { actions } = actionsOf(later, { ticker: 'AAAA', limit: 100, cursor: next_cursor }, cursors);
    expect(actions).toEqual(ask().actions.slice(2));
  });

  test('of another stock or other filters are refused', () => {
    const { next_cursor: cursor } = ask({ limit: 2 });
    for (const other of [
      { ticker: 'BBBB' },
      { kind: 'rights' as const },
      { from: day(1) },
      { cursor: `${cursor}A` },
    ])
      expect(() => ask({ cursor, ...other })).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }) as Error,
      );
  });
});

test('total returns stand beside price returns, and are unknown without any dividend in the table', () => {
  const ofTable = (table: StoredAction[]) => holdingReturnsOf(loadedOf(panel, {}, undefined, table), 0);
  const [ofDay, ofWeek, ofMonth] = ofTable(TABLE);
  expect(ofDay).toEqual({ days: 1, price_return_pct: 0, total_return_pct: 12.5, dividends: 12.5 });
  const { price_return_pct: price, total_return_pct: total } = ofWeek!;
  expect(total).toBeCloseTo((100 + price!) * 1.125 - 100, 3);
  expect(ofMonth).toEqual({ days: 20 });
  const without = ofTable(TABLE.filter(({ kind }) => kind !== 'dividend'));
  expect(without[0]).toEqual({ days: 1, price_return_pct: 0 });
  const ofAnother: StoredAction = {
    ...of,
    ticker: 'BBBB',
    kind: 'dividend',
    ex_date: day(9),
    amount: 5,
    status: 'stated',
  };
  expect(ofTable([ofAnother])[0]).toEqual({
    days: 1,
    price_return_pct: 0,
    total_return_pct: 0,
    dividends: 0,
  });
});

test('a dividend whose ex-day has no bar counts on the next one; one that is not known yet counts nowhere', () => {
  const paid = (change: Partial<StoredAction>) =>
    new StockActions(panel, [
      { ...of, kind: 'dividend', ex_date: day(6), amount: 3, status: 'stated', ...change },
    ]).dividendsOf(0);
  expect(paid({})).toEqual(new Map([[5, 3]]));
  expect(paid({ known_on: day(10) })).toEqual(new Map());
  expect(paid({ ex_date: day(10) })).toEqual(new Map());
});

test('recent actions are those of the last year and of coming days', () => {
  const old: StoredAction = { ...of, kind: 'suspension', ex_date: '2023-07-09', status: 'stated' };
  const recent = recentActions(loadedOf(panel, {}, undefined, [...TABLE, old]), 0);
  expect(recent.map(({ kind }) => kind)).not.toContain('suspension');
  expect(recent).toHaveLength(10);
  const many = Array.from({ length: 30 }, (_, n): StoredAction => ({
    ...of,
    kind: 'dividend',
    ex_date: `2024-06-${String(n + 1).padStart(2, '0')}`,
    amount: 1,
    status: 'stated',
  }));
  expect(recentActions(loadedOf(panel, {}, undefined, many), 0)).toHaveLength(20);
});
