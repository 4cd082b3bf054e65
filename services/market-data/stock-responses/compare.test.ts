import { describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { compareOf } from './compare.ts';
import { loadedOf } from '../in-memory/loaded-fixture.ts';
import { snapshotOf } from './snapshot.ts';

const TODAY = '2024-12-31';
const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}`;

const panel = panelOf([
  { ticker: 'AAAA', date: day(1), close: 100 },
  { ticker: 'AAAA', date: day(2), close: 110, previous: 100 },
  { ticker: 'BBBB', date: day(1), close: 50 },
  { ticker: 'BBBB', date: day(2), close: 60, previous: 50 },
  { ticker: 'GONE', date: day(1), close: 70 },
]);
const market = loadedOf(panel);
const compare = (tickers: string[], days = 1) => compareOf(market, { tickers, days }, TODAY);

describe('a comparison', () => {
  test('lists the stocks in request order, with the facts and features of their snapshots', () => {
    const { tickers, snapshots, date, days, dataset_version } = compare(['BBBB', 'AAAA']);
    expect({ tickers, date, days, dataset_version }).toEqual({
      tickers: ['BBBB', 'AAAA'],
      date: day(2),
      days: 1,
      dataset_version: 'v1',
    });
    for (const stock of snapshots) {
      const { close, change_pct, period, ...facts } = stock;
      const {
        ohlcv,
        days: _days,
        dataset_version: _version,
        broker_data: _brokers,
        adjusted: _adjusted,
        adjusted_to: _adjustedTo,
        actions: _actions,
        returns: _returns,
        ...snapshot
      } = snapshotOf(market, { ticker: stock.ticker, days: 1 }, TODAY);
      expect(facts).toEqual(snapshot);
      expect([close, change_pct]).toEqual([ohlcv.at(-1)!.close, ohlcv.at(-1)!.change_pct]);
      expect(period!.return_pct).toBe(change_pct);
    }
  });

  test('ranks stocks from highest to lowest, omits those without a value, and has no broker ranking without broker rows', () => {
    const { ranking } = compare(['AAAA', 'GONE', 'BBBB']);
    expect(ranking).toMatchObject({ return_pct: { tickers: ['BBBB', 'AAAA'] }, rsi14: { tickers: [] } });
    expect(ranking!.bandar_net_value_5d).toBeUndefined();
  });

  test('ranks and sums net buying by local institutions from broker rows, and omits the sum where rows are missing', () => {
    const bought = (ticker: string, value: number) =>
      [1, 2].map((date) => ({
        ticker,
        date: day(date),
        broker: 'CC',
        buy_value: value * date,
      }));
    const rows = [...bought('AAAA', 10), ...bought('BBBB', 20), ...bought('GONE', 5).slice(0, 1)];
    const withRows = loadedOf(panel, {}, brokerFlowOf(panel, rows));
    const { ranking, snapshots, broker_data } = compareOf(
      withRows,
      { tickers: ['AAAA', 'BBBB', 'GONE'], days: 1 },
      TODAY,
    );
    expect(broker_data).toBe('real');
    expect(ranking!.bandar_net_value_5d).toEqual({ tickers: ['BBBB', 'AAAA'] });
    expect(snapshots.map(({ features }) => features!.bandar_net_value_5d)).toEqual([30, 60, 5]);
    expect(snapshots.map(({ period }) => period!.bandar_net_value)).toEqual([20, 40, undefined]);
  });

  test('gives a delisted stock its snapshot but no period figures', () => {
    const { snapshots } = compare(['GONE']);
    expect(snapshots[0]).toMatchObject({ date: day(1), close: 70, period: {} });
    expect(Object.values(snapshots[0]!.period!)).toEqual([]);
  });

  test('never ranks a stock that did not trade on the last day and gives it no return or change', () => {
    const rise = (ticker: string, last: Partial<BarFixture>) =>
      Array.from({ length: 40 }, (_, i) => ({
        ticker,
        date: isoFromEpochDay(epochDayFromIso(day(1)) + i),
        close: 100 + i * i,
        ...(i === 39 ? last : {}),
      }));
    const carried = { close: 100 + 38 * 38, volume: 0 };
    const bars = [...rise('HALT', carried), ...rise('LIVE', { close: 1_500 })];
    const { snapshots, ranking } = compareOf(
      loadedOf(panelOf(bars)),
      { tickers: ['HALT', 'LIVE'], days: 20 },
      TODAY,
    );
    const [halted, live] = snapshots;
    expect(halted).toMatchObject({ traded_today: false, close: carried.close, change_pct: undefined });
    expect(halted!.period).not.toHaveProperty('return_pct');
    expect(halted!.period).toMatchObject({ high: carried.close });
    expect(halted!.features).not.toHaveProperty('rsi14');
    expect(live).toMatchObject({ traded_today: true });
    expect(live!.period!.return_pct).toBeGreaterThan(0);
    expect(ranking).toEqual({
      return_pct: { tickers: ['LIVE'] },
      rsi14: { tickers: ['LIVE'] },
      volume_ratio_20: { tickers: ['LIVE'] },
      bandar_net_value_5d: undefined,
    });
  });

  test('says that tickers are written without the suffix .JK when all are unknown', () => {
    expect(() => compare(['ZZZZ', 'AAAA.JK'])).toThrow('without “.JK”, such as AAAA for AAAA.JK');
  });
});
