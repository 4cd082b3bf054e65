import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { brokerStocksOf } from './broker-stocks.ts';
import { brokerTimelineOf } from './broker-timeline.ts';
import { brokerWindowOf } from './broker-window.ts';
import { brokersOf } from './brokers.ts';
import { loadedOf, rowsInMemory } from '../in-memory/loaded-fixture.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

const FILE = '../shared/data/broker_rows.csv.gz';
const TODAY = '2024-12-31';
const LAST_DAY = '2024-06-28';
const DAYS = 20;
const BUMI = { ticker: 'BUMI', market: 'REG', top_n: 50, sort_by: 'value' } as const;

interface Line {
  date: string;
  broker: string;
  buy_shares: number;
  buy_value: number;
  sell_shares: number;
  sell_value: number;
}

/** Gross rows of BUMI over twenty days, read independently of the service. */
function linesOfFile(): Line[] {
  const fields = gunzipSync(readFileSync(FILE))
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('jiakbar_tahunan,BUMI,2024-0'))
    .map((line) => line.split(','));
  const lines = fields.map(([, , date, , , broker, , ...numbers]) => {
    const [buy_shares, buy_value, sell_shares, sell_value] = numbers.map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return { date: date!, broker: broker!, buy_shares, buy_value, sell_shares, sell_value };
  });
  const dates = [...new Set(lines.map(({ date }) => date))].filter((date) => date <= LAST_DAY).toSorted();
  return lines.filter(({ date }) => dates.slice(-DAYS).includes(date));
}

const sum = (lines: Line[], of: (line: Line) => number) => lines.reduce((total, line) => total + of(line), 0);
const net = ({ buy_value, sell_value }: Line) => buy_value - sell_value;

describe('the real broker rows of a stock', needing(THE_REAL_MARKET, existsSync(FILE)), () => {
  let lines: Line[];
  let lastDay: Line[];
  let market: LoadedDataset;
  beforeAll(() => {
    lines = linesOfFile();
    lastDay = lines.filter(({ date }) => date === LAST_DAY);
    const dates = [...new Set(lines.map(({ date }) => date))].toSorted();
    const volumeOf = (date: string) => sum(lines, (line) => (line.date === date ? line.buy_shares : 0));
    const bars = dates.map((date) => ({ ticker: 'BUMI', date, close: 80, volume: volumeOf(date) }));
    const rows = lines.map((line) => ({ ...line, ticker: 'BUMI' }));
    const panel = panelOf(bars);
    market = loadedOf(panel, {}, brokerFlowOf(panel, rows));
  });

  test('for one day match the answer, with net buyers and sellers sorted by net value', async () => {
    const wanted = { ...BUMI, date: LAST_DAY };
    const response = await brokersOf(market, wanted, TODAY, rowsInMemory);
    expect(lastDay.length).toBeGreaterThan(40);
    expect(response).toMatchObject({ broker_count: lastDay.length, coverage_pct: 100, is_partial: false });
    expect(response.totals).toMatchObject({
      buy_value: sum(lastDay, ({ buy_value }) => buy_value),
      net_value: 0,
      sell_shares: sum(lastDay, ({ sell_shares }) => sell_shares),
    });
    const buyers = lastDay.filter((line) => net(line) > 0).toSorted((a, b) => net(b) - net(a));
    expect(response.top_buyers.map(({ broker, net_value }) => [broker, net_value])).toEqual(
      buyers.map((line) => [line.broker, net(line)]),
    );
    const sellers = lastDay.filter((line) => net(line) < 0).toSorted((a, b) => net(a) - net(b));
    expect(response.top_sellers.map(({ broker, sell_shares }) => [broker, sell_shares])).toEqual(
      sellers.map(({ broker, sell_shares }) => [broker, sell_shares]),
    );
  });

  test('add up over the window for each broker', () => {
    const { top_buyers, top_sellers, totals, trading_days } = brokerWindowOf(
      market,
      { ...BUMI, days: DAYS },
      TODAY,
    );
    expect(trading_days).toBe(DAYS);
    expect(totals!.buy_value).toBe(sum(lines, ({ buy_value }) => buy_value));
    expect(top_buyers.length + top_sellers.length).toBeGreaterThan(40);
    for (const { broker, net_value } of [...top_buyers, ...top_sellers])
      expect(net_value).toBe(
        sum(
          lines.filter((line) => line.broker === broker),
          net,
        ),
      );
  });

  test.each(['YP', 'CC', 'AK'])('of %s match its timeline and its list of stocks', async (broker) => {
    const own = lines.filter((line) => line.broker === broker).toSorted((a, b) => (a.date < b.date ? -1 : 1));
    const { timeline, signals, summary } = brokerTimelineOf(
      market,
      { ticker: 'BUMI', broker, days: 250, market: 'REG' },
      TODAY,
    );
    expect(timeline.map(({ date, net_value }) => [date, net_value])).toEqual(
      own.map((line) => [line.date, net(line)]),
    );
    expect(timeline.at(-1)!.cum_net_value).toBe(sum(own, net));
    expect(signals!.first_net_buy_date).toBe(own.find((line) => net(line) > 0)?.date);
    expect(signals!.first_buy_above_1b_date).toBe(own.find(({ buy_value }) => buy_value >= 1e9)?.date);
    expect(summary!.avg_cost).toBeCloseTo(
      sum(own, ({ buy_value }) => buy_value) / sum(own, ({ buy_shares }) => buy_shares),
      4,
    );
    const wanted = { broker, days: DAYS, market: 'REG', top_n: 1, sort_by: 'value' } as const;
    const { accumulated, distributed } = await brokerStocksOf(market, wanted, TODAY);
    expect([...accumulated, ...distributed].map(({ net_value }) => net_value)).toEqual([sum(own, net)]);
  });
});
