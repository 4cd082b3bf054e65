import { INDONESIAN } from '#models/fixtures/read-result-fixture.ts';
import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { PART_POINTS, type PartKind } from '#quant/turning-point/turning-parts.ts';
import type { TurningPoint } from '#quant/turning-point/turning-point.ts';
import { turningFactors, turningPointOf, turningPointsOf } from './turning-points.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

const TODAY = '2024-12-31';
const DAY_ZERO = epochDayFromIso('2024-01-01');

function stock(ticker: string, closes: number[], special: Partial<BarFixture> = {}): BarFixture[] {
  return closes.map((close, day) => ({ ticker, date: isoFromEpochDay(DAY_ZERO + day), close, ...special }));
}

const flat = Array.from({ length: 60 }, () => 1_000);
const rising = [...flat, ...Array.from({ length: 11 }, (_, i) => 1_000 + 20 * i)];
const panel = panelOf([
  ...stock('GONE', flat),
  ...stock('NEWW', [500, 510]),
  ...stock('RISE', rising, { volume: 1_000_000, value: 1e9, foreign_sell: 100_000 }),
]);
const loaded: LoadedDataset = loadedOf(panel, { kind: 'synthetic' });

describe('a turning point', () => {
  test('has its factors in Indonesian and is dated by the stock’s own last day', () => {
    expect(turningPointOf(loaded, { ticker: ' rise', lookback: 10 }, TODAY)).toEqual({
      turning_point: {
        ticker: 'RISE',
        date: isoFromEpochDay(DAY_ZERO + 70),
        signal: 'DISTRIBUTION_RISK',
        score: -4,
        factors: [
          'Harga naik 20,0% dalam 10 hari',
          'Harga tertahan di dekat puncak 60 hari',
          'Asing mencatat jual bersih Rp1 miliar selama kenaikan',
          'RSI 100,0 berada di area jenuh beli',
        ],
        close: 1_200,
        ret_10d_pct: 20,
        last_traded_date: isoFromEpochDay(DAY_ZERO + 70),
        traded_today: true,
      },
      lookback: 10,
      is_partial: expect.any(Boolean) as boolean,
      dataset_version: 'v1',
      broker_data: 'none',
      adjusted: true,
      adjusted_to: isoFromEpochDay(DAY_ZERO + 70),
    });
    const gone = turningPointOf(loaded, { ticker: 'GONE', lookback: 10 }, TODAY).turning_point!;
    expect(gone).toMatchObject({ date: isoFromEpochDay(DAY_ZERO + 59), score: 0, factors: [] });
  });

  describe('of a stock that did not trade on the dataset’s last day', () => {
    const calm = Array.from({ length: 100 }, (_, day) => 1_000 + 5 * (day % 2));
    const fallen = [...calm, ...Array.from({ length: 10 }, (_, i) => Math.round(1_000 * 0.95 ** (i + 1)))];
    const closed = (days: number) => Array<number>(days).fill(fallen.at(-1)!);
    const suspendedFor = (days: number) => {
      const bars = stock('HALT', [...fallen, ...closed(days)]);
      for (const bar of bars.slice(fallen.length)) Object.assign(bar, { volume: 0, value: 0 });
      const others = stock('LIVE', [...fallen, ...closed(days)]);
      const market = loadedOf(panelOf([...bars, ...others]), { kind: 'synthetic' });
      return turningPointOf(market, { ticker: 'HALT', lookback: 10 }, TODAY).turning_point!;
    };
    const lastTrade = isoFromEpochDay(DAY_ZERO + fallen.length - 1);

    test('stays the one of its last trade, with that date, for fewer days than the lookback', () => {
      const alone = turningPointOf(
        loadedOf(panelOf(stock('HALT', fallen)), { kind: 'synthetic' }),
        { ticker: 'HALT', lookback: 10 },
        TODAY,
      ).turning_point!;
      expect(alone.score).toBeGreaterThan(0);
      expect(suspendedFor(9)).toEqual({ ...alone, traded_today: false });
      expect(suspendedFor(9)).toMatchObject({ date: lastTrade, last_traded_date: lastTrade });
    });

    test('becomes neutral once the lookback has passed: no signal, factors or return', () => {
      expect(suspendedFor(10)).toEqual({
        ticker: 'HALT',
        date: lastTrade,
        close: fallen.at(-1),
        signal: 'NEUTRAL',
        score: 0,
        factors: [],
        ret_10d_pct: undefined,
        last_traded_date: lastTrade,
        traded_today: false,
      });
    });

    test('is dated by its last row if the stock never traded', () => {
      const bars = stock('NONE', [50, 50], { volume: 0, value: 0 });
      const market = loadedOf(panelOf(bars), { kind: 'synthetic' });
      expect(turningPointOf(market, { ticker: 'NONE', lookback: 10 }, TODAY).turning_point).toMatchObject({
        date: isoFromEpochDay(DAY_ZERO + 1),
        score: 0,
        ret_10d_pct: undefined,
        last_traded_date: undefined,
        traded_today: false,
      });
    });
  });

  test('always reports the ten-day return, whatever the lookback, and none if the history is shorter', () => {
    const point = (ticker: string, lookback: number) =>
      turningPointOf(loaded, { ticker, lookback }, TODAY).turning_point!;
    expect(point('RISE', 2).ret_10d_pct).toBe(20);
    expect(point('NEWW', 2)).toMatchObject({ ret_10d_pct: undefined, signal: 'NEUTRAL' });
  });

  test('includes broker factors only when every day of the lookback has broker rows', () => {
    const rows = Array.from({ length: 10 }, (_, i) => isoFromEpochDay(DAY_ZERO + 61 + i)).flatMap((date) => [
      { ticker: 'RISE', date, broker: 'CC', sell_value: 2e8 },
      { ticker: 'RISE', date, broker: 'XL', buy_value: 2e8 },
    ]);
    const brokers = [{ code: 'XL', is_retail: true }];
    const point = (lookback: number) => {
      const withRows = loadedOf(panel, {}, brokerFlowOf(panel, rows, brokers));
      return turningPointOf(withRows, { ticker: 'RISE', lookback }, TODAY);
    };
    expect(point(10).broker_data).toBe('real');
    expect(point(10).turning_point).toMatchObject({ score: -7, signal: 'DISTRIBUTION_RISK' });
    expect(point(10).turning_point!.factors).toEqual(
      expect.arrayContaining([
        'Asing dan bandar mencatat jual bersih Rp3 miliar saat harga naik',
        'Ritel mencatat beli bersih Rp2 miliar saat harga naik',
      ]),
    );
    const alone = turningPointOf(loaded, { ticker: 'RISE', lookback: 11 }, TODAY).turning_point;
    expect(point(11).turning_point).toEqual(alone);
  });
});

describe('a request for several turning points', () => {
  test('yields to other requests between stocks', async () => {
    const many = panelOf(Array.from({ length: 12 }, (_, i) => stock(`T${10 + i}`, flat)).flat());
    const wanted = { tickers: many.columns.tickers, lookback: 10 };
    let isDone = false;
    const response = turningPointsOf({ ...loaded, panel: many }, wanted, TODAY).then(() => (isDone = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    await response;
  });
});

test('every factor has an Indonesian sentence with Indonesian number format and no minus sign', () => {
  const kinds = Object.keys(PART_POINTS) as PartKind[];
  const parts = kinds.map((kind) => ({ kind, amount: -1_234.56 }));
  const texts = turningFactors({ parts, retPct: 0 } as unknown as TurningPoint, 10, 'id');
  expect(new Set(texts).size).toBe(kinds.length);
  for (const text of texts) {
    expect(text).toMatch(/^[A-Z]/);
    expect(text).not.toMatch(/-\d|1,234|undefined|NaN/);
  }
  expect(texts[kinds.indexOf('rally')]).toBe('Harga naik 1.234,6% dalam 10 hari');
});

test('every factor has an English sentence with the same number', () => {
  const kinds = Object.keys(PART_POINTS) as PartKind[];
  const parts = kinds.map((kind) => ({ kind, amount: -1_234.56 }));
  const found = { parts, retPct: 0 } as unknown as TurningPoint;
  const [id, en] = (['id', 'en'] as const).map((language) => turningFactors(found, 10, language));
  const isAmount = (text: string) => /1[.,]234|1[.,]235/.test(text);
  expect(en!.map(isAmount)).toEqual(id!.map(isAmount));
  expect(new Set(en).size).toBe(kinds.length);
  for (const text of en!) {
    expect(text).toMatch(/^[A-Z]/);
    expect(text).not.toMatch(/-\d|1\.234|undefined|NaN/);
    expect(text).not.toMatch(INDONESIAN);
  }
});

test.each([
  [-42_300_000_000, 3, 'Asing mencatat jual bersih Rp42,3 miliar selama kenaikan'],
  [-1_500_000_000_000, -3, 'Asing mencatat jual bersih Rp1,5 triliun dalam 10 hari'],
  [-950, null, 'Asing mencatat jual bersih Rp950 dalam 10 hari'],
])('foreign selling of %d with a price change of %d %% reads: %s', (amount, retPct, text) => {
  const point = { parts: [{ kind: 'foreign_selling', amount }], retPct } as TurningPoint;
  expect(turningFactors(point, 10, 'id')).toEqual([text]);
});
