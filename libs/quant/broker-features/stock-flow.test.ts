import { describe, expect, test } from 'vitest';
import { brokerDaysOf } from '../broker-measures/broker-days-fixture.ts';
import { BrokerDays } from '../broker-measures/broker-days.ts';
import { brokerFlowOf, type FlowRowFixture } from '../broker-rows/flow-fixture.ts';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import { panelOf } from '../panel/panel-fixture.ts';
import { brokerCoverage } from './gross-ranks.ts';
import { flowTableOf } from './flow-table-fixture.ts';
import { BROKER_TABLE, randomFlowMarket } from './random-flow-fixture.ts';
import { StockFlow } from './stock-flow.ts';

const DAYS = 12;
const DATES = Array.from({ length: DAYS }, (_, i) => isoFromEpochDay(19_000 + i));
const LAST = DAYS - 1;
const SHARES = 1_000;

/** A stock in which, on every day, one broker buys everything that another sells. */
function flowOf(
  trades: (day: number) => [buyer: string, seller: string],
  closeOf = (day: number) => 100 + day,
  factorOf = (_day: number) => 1,
) {
  const panel = panelOf(
    DATES.map((date, day) => ({
      ticker: 'AAAA',
      date,
      close: closeOf(day),
      volume: SHARES,
      factor: factorOf(day),
      share_factor: factorOf(day),
    })),
  );
  const rows = DATES.flatMap((date, day): FlowRowFixture[] => {
    const [buyer, seller] = trades(day);
    const [value, of] = [SHARES * closeOf(day), { ticker: 'AAAA', date }];
    return [
      { ...of, broker: buyer, buy_shares: SHARES, buy_value: value },
      { ...of, broker: seller, sell_shares: SHARES, sell_value: value },
    ];
  });
  const days = brokerDaysOf(panel, brokerFlowOf(panel, rows, BROKER_TABLE));
  return new StockFlow(days, { days: 5, group: 'ex_retail' });
}

describe('a rise is led by retail', () => {
  const retailBuys = () => ['XL', 'AK'] as [string, string];
  test('when retail brokers buy the most of all classes and the price rises over the window', () => {
    expect(flowOf(retailBuys).figures(0, LAST).isRetailLed).toBe(true);
  });
  test('not when the price fell or stood still', () => {
    expect(flowOf(retailBuys, (day) => 200 - day).figures(0, LAST).isRetailLed).toBe(false);
    expect(flowOf(retailBuys, () => 100).figures(0, LAST).isRetailLed).toBe(false);
    const restated = flowOf(
      retailBuys,
      (day) => (day < LAST - 1 ? 155 : 78),
      (day) => (day === LAST - 1 ? 78 / 155 : 1),
    );
    expect(restated.figures(0, LAST).isRetailLed).toBe(false);
  });
  test('not when another class bought more, or when retail sold', () => {
    const mixed = flowOf((day) => (day > LAST - 3 ? ['AK', 'CC'] : ['XL', 'CC']));
    expect(mixed.figures(0, LAST).isRetailLed).toBe(false);
    expect(flowOf(() => ['AK', 'XL']).figures(0, LAST).isRetailLed).toBe(false);
  });
  test('only when the price rises from the close before the window, not merely within it', () => {
    const fellBefore = (day: number) => (day <= LAST - 5 ? 300 : 100 + day);
    expect(flowOf(retailBuys, fellBefore).figures(0, LAST).isRetailLed).toBe(false);
  });
  test('never when broker rows or the price before the window are unknown', () => {
    const panel = panelOf(DATES.map((date) => ({ ticker: 'AAAA', date, close: 100 })));
    expect(new StockFlow(new BrokerDays(panel), { days: 5, group: 'all' }).figures(0, LAST).isRetailLed).toBe(
      false,
    );
    expect(flowOf(retailBuys).figures(0, 4).isRetailLed).toBe(false);
  });
});

describe('figures of a pick', () => {
  test('name the broker that led on most days of the window, and the latest one on a tie', () => {
    const ofDays = (leaders: Record<number, string>) =>
      flowOf((day) => [leaders[LAST - day] ?? 'BK', 'XL']).figures(0, LAST).topBuyer;
    expect(ofDays({ 0: 'CC', 2: 'CC' })).toBe('BK');
    expect(ofDays({ 0: 'CC', 1: 'CC', 2: 'AK', 3: 'AK' })).toBe('CC');
    expect(ofDays({ 0: 'LG', 1: 'CC', 2: 'CC', 3: 'AK', 4: 'AK' })).toBe('CC');
  });

  test('give the shares and rupiah of the window, and the average cost of the group', () => {
    const { top5Buy, hhiGap, bandarNet5, retailShare, entryGap } = flowOf((day) =>
      day === LAST ? ['XL', 'AK'] : ['CC', 'YP'],
    ).figures(0, LAST);
    const [before, last] = [[107, 108, 109, 110], 111];
    const bought = SHARES * before.reduce((sum, close) => sum + close, 0);
    expect([top5Buy, hhiGap]).toEqual([1, 0]);
    expect(bandarNet5).toBeCloseTo(bought, 0);
    expect(retailShare).toBeCloseTo((SHARES * last) / (bought + SHARES * last), 5);
    expect(entryGap).toBeCloseTo(last / (bought / SHARES / 4) - 1, 5);
  });

  test('are null without broker rows', () => {
    const panel = panelOf(DATES.map((date) => ({ ticker: 'AAAA', date, close: 100 })));
    const figures = new StockFlow(new BrokerDays(panel), { days: 5, group: 'all' }).figures(0, LAST);
    expect(figures).toEqual({
      top5Buy: null,
      hhiGap: null,
      bandarNet5: null,
      retailShare: null,
      entryGap: null,
      topBuyer: null,
      isRetailLed: false,
    });
  });
});

test('coverage counts the stock-days of reference names and how many have complete rows', () => {
  const { panel, flow, rows } = randomFlowMarket(8, { tickers: 20, days: 30 });
  const table = flowTableOf(panel);
  const span = { firstDay: 10, lastDay: 19 };
  const withRows = new Set(rows.map(({ ticker, date }) => `${ticker} ${date}`));
  const traded = Array.from({ length: 10 }, (_, i) => 10 + i).flatMap((day) =>
    [...panel.rowsOn(day).entries()].flatMap(([ticker, row]) =>
      row >= 0 && panel.columns.volume[row]! > 0 && ticker % 2 === 0 && panel.columns.close[row]! >= 100
        ? [`${panel.columns.tickers[ticker]} ${panel.columns.dates[day]}`]
        : [],
    ),
  );
  const known = traded.filter((key) => withRows.has(key)).length;
  expect(brokerCoverage(table, brokerDaysOf(panel, flow), span)).toEqual({ stockDays: traded.length, known });
  expect(brokerCoverage(table, new BrokerDays(panel), span)).toEqual({ stockDays: traded.length, known: 0 });
  expect(known).toBeLessThan(traded.length);
});
