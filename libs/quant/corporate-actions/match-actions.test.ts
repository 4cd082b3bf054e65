import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectedKind, factorsOf, type StatedAction } from './corporate-action.ts';
import { matchActions, type Detection } from './match-actions.ts';

const EX = '2024-07-03';
const LAST = '2024-12-30';
const split = (ratio: number, change: Partial<StatedAction> = {}): StatedAction => ({
  ticker: 'QAAA',
  kind: 'split',
  ex_date: EX,
  known_on: '2024-06-20',
  ratio,
  ...change,
});
const detected = (price: number, date = EX, share = price): Detection => ({
  ticker: 'QAAA',
  date,
  factors: { price, share },
});
const match = (actions: StatedAction[], detections: Detection[], closeBefore = 1_000) =>
  matchActions(actions, detections, { lastDate: LAST, firstBar: (_, date) => ({ date, closeBefore }) });

describe('what an action says about prices and share counts before it', () => {
  test.each<[Pick<StatedAction, 'kind' | 'ratio' | 'amount'>, { price: number; share: number } | undefined]>([
    [
      { kind: 'split', ratio: 5 },
      { price: 0.2, share: 0.2 },
    ],
    [
      { kind: 'reverse_split', ratio: 0.1 },
      { price: 10, share: 10 },
    ],
    [
      { kind: 'bonus', ratio: 1.25 },
      { price: 0.8, share: 0.8 },
    ],
    [
      { kind: 'rights', ratio: 1.25, amount: 500 },
      { price: 0.9, share: 1 },
    ],
    [
      { kind: 'rights', ratio: 1.25, amount: 1_500 },
      { price: 1, share: 1 },
    ],
    [{ kind: 'rights', ratio: 1.25 }, undefined],
    [{ kind: 'rights' }, undefined],
    [
      { kind: 'rights', ratio: 1 },
      { price: 1, share: 1 },
    ],
  ])('%j after a close of 1,000: %j', (action, factors) => {
    expect(factorsOf(action, 1_000)).toEqual(factors);
  });

  test('a detection is a split only if the listed shares changed with the price', () => {
    expect(detectedKind({ price: 0.5, share: 0.5 })).toBe('split');
    expect(detectedKind({ price: 10, share: 10 })).toBe('reverse_split');
    expect(detectedKind({ price: 0.9, share: 1 })).toBe('rights');
    expect(detectedKind({ price: 1.2, share: 1 })).toBe('unexplained');
  });
});

test('a stated action near a detection of about its size confirms it, and its ratio applies on the detected day', () => {
  const { actions, overruled, factors } = match([split(5)], [detected(0.201, '2024-07-05')]);
  expect(actions).toEqual([{ action: split(5), status: 'confirmed', appliedOn: '2024-07-05' }]);
  expect(overruled).toEqual([]);
  expect(factors).toMatchObject([
    { date: '2024-07-05', factors: { price: 0.2, share: 0.2 }, before: { price: 0.201 } },
  ]);
});

test('without bars for a while, it confirms a detection on the bar that it applies to', () => {
  const firstBar = () => ({ date: '2024-07-22', closeBefore: 1_000 });
  const { actions } = matchActions([split(5)], [detected(0.2, '2024-07-22')], { lastDate: LAST, firstBar });
  expect(actions).toEqual([{ action: split(5), status: 'confirmed', appliedOn: '2024-07-22' }]);
});

test('a stated action of another size overrules the detection, which then counts for nothing', () => {
  const { actions, overruled, factors } = match([split(2)], [detected(0.9, '2024-07-04', 1)]);
  expect(actions).toEqual([{ action: split(2), status: 'stated', appliedOn: EX }]);
  expect(overruled).toMatchObject([{ date: '2024-07-04', factors: { price: 0.9 } }]);
  expect(factors).toMatchObject([
    { date: '2024-07-04', factors: { price: 1, share: 1 }, before: { price: 0.9, share: 1 } },
    { date: EX, factors: { price: 0.5, share: 0.5 }, before: { price: 1, share: 1 } },
  ]);
});

test('a ratio of 1 says that nothing happened, however small the detection is', () => {
  const nothing = split(1, { kind: 'rights' });
  expect(match([nothing], [detected(0.97, EX, 1)])).toMatchObject({
    overruled: [{ date: EX }],
    factors: [{ date: EX, factors: { price: 1, share: 1 }, before: { price: 0.97 } }],
  });
  expect(match([nothing], []).factors).toEqual([]);
});

test('rights without their terms confirm what is detected and change nothing; far from a detection they adjust nothing', () => {
  const rights: StatedAction = { ticker: 'QAAA', kind: 'rights', ex_date: EX, known_on: '2024-06-20' };
  expect(match([rights], [detected(0.9, EX, 1)])).toEqual({
    actions: [{ action: rights, status: 'confirmed', appliedOn: EX }],
    overruled: [],
    factors: [],
  });
  expect(match([rights], [detected(0.9, '2024-07-09', 1)])).toEqual({
    actions: [{ action: rights, status: 'stated' }],
    overruled: [],
    factors: [],
  });
});

test('actions of one day are compared with the detection together', () => {
  const rights = split(1.25, { kind: 'rights', amount: 500 });
  const { actions, factors } = match([split(2), rights], [detected(0.45, EX, 0.5)]);
  expect(actions.map(({ status }) => status)).toEqual(['confirmed', 'confirmed']);
  expect(factors).toMatchObject([{ factors: { price: 0.45, share: 0.5 } }]);
});

test('actions that restate nothing, and those known only after the last day, are stated and not used', () => {
  const later = split(2, { known_on: '2024-12-31' });
  const dividend = split(1, { kind: 'dividend', amount: 5 });
  expect(match([later, dividend], [detected(0.5)])).toEqual({
    actions: [
      { action: later, status: 'stated' },
      { action: dividend, status: 'stated' },
    ],
    overruled: [],
    factors: [],
  });
});

test('the first bar of a stock has no close that could be restated', () => {
  expect(match([split(2)], [], 0)).toMatchObject({ actions: [{ status: 'stated' }], factors: [] });
});

test('property: each detection is used, confirmed or overruled once, and other stocks are never touched', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((n) => `2024-07-${String(n).padStart(2, '0')}`);
  const ticker = fc.constantFrom('QAAA', 'QBBB');
  const size = fc.constantFrom(0.1, 0.5, 0.8, 0.9, 2);
  const detections = fc.uniqueArray(
    fc.record({ ticker, date: day, factors: size.map((price) => ({ price, share: price })) }),
    { selector: ({ ticker, date }) => ticker + date },
  );
  const actions = fc.uniqueArray(
    fc.record({
      ticker: fc.constant('QAAA'),
      kind: fc.constant('split' as const),
      ex_date: day,
      known_on: day,
      ratio: size.map((price) => 1 / price),
    }),
    { selector: ({ ex_date }) => ex_date },
  );
  fc.assert(
    fc.property(actions, detections, (stated, found) => {
      const { actions, overruled, factors } = match(stated, found);
      const confirmed = actions
        .filter(({ status }) => status === 'confirmed')
        .map(({ appliedOn }) => appliedOn);
      const used = [...overruled.map(({ date }) => date), ...confirmed];
      expect(new Set(used).size).toBe(used.length);
      expect(actions).toHaveLength(stated.length);
      expect(factors.every(({ ticker }) => ticker === 'QAAA')).toBe(true);
      expect(new Set(factors.map(({ date }) => date)).size).toBe(factors.length);
      for (const { date, before } of factors) {
        const detection = found.find(
          (one) => one.ticker === 'QAAA' && one.date === date && used.includes(date),
        );
        expect(before).toEqual(detection?.factors ?? { price: 1, share: 1 });
      }
    }),
  );
});
