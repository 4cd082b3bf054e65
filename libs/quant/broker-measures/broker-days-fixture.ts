import { GROSS_ROWS, type BrokerFlow } from '../broker-rows/broker-flow.ts';
import { numberAt } from '../broker-rows/packed-column.ts';
import type { Panel } from '../panel/panel.ts';
import { BrokerDays } from './broker-days.ts';
import {
  emptyMonth,
  brokerNumber,
  MEASURE_COUNT,
  MEASURES,
  type BrokerMonth,
  type Measure,
} from './measures.ts';

interface Row {
  code: string;
  of: 'retail' | 'foreign' | 'bandar';
  b: number;
  s: number;
  shares: number;
  soldShares: number;
  net: number;
}

/** Summaries of in-memory rows, computed in the simplest way. Tests compare ClickHouse's summaries with them. */
export function brokerDaysOf(panel: Panel, flow: BrokerFlow): BrokerDays {
  return new BrokerDays(panel, [monthOf(panel, flow)]);
}

/** Puts all days that `flow` holds into one month. */
export function monthOf(panel: Panel, flow: BrokerFlow): BrokerMonth {
  const { firstDay, lastDay } = flow.columns;
  const { dates, tickers } = panel.columns;
  const month = emptyMonth(dates.slice(firstDay, lastDay + 1), tickers);
  for (let day = firstDay; day <= lastDay; day++) {
    for (let ticker = 0; ticker < tickers.length; ticker++) {
      const measures = measuresOf(flow, ticker, day);
      const start = ((day - firstDay) * tickers.length + ticker) * MEASURE_COUNT;
      if (measures)
        month.values.set(
          MEASURES.map((name) => measures[name]),
          start,
        );
    }
  }
  return month;
}

/** Measures of a stock-day; undefined unless it has gross rows whose sides agree. */
export function measuresOf(
  flow: BrokerFlow,
  ticker: number,
  day: number,
): Record<Measure, number> | undefined {
  const { from, to } = flow.rows('REG', ticker, day);
  if (from === to || flow.columns.mode[flow.group('REG', ticker, day)] !== GROSS_ROWS) return undefined;
  const rows = Array.from({ length: to - from }, (_, i) => rowAt(flow, from + i));
  const [bought, sold] = [sum(rows, ({ b }) => b), sum(rows, ({ s }) => s)];
  const [boughtShares, soldShares] = [sum(rows, ({ shares }) => shares), sum(rows, (row) => row.soldShares)];
  const agrees = boughtShares === soldShares && Math.abs(bought - sold) <= 2 * rows.length;
  return agrees && bought > 0 ? summary(rows, bought, sold, boughtShares) : undefined;
}

function summary(rows: Row[], bought: number, sold: number, boughtShares: number): Record<Measure, number> {
  const largestBuys = rows.map(({ b }) => b).toSorted((x, y) => y - x);
  const largestSells = rows.map(({ s }) => s).toSorted((x, y) => y - x);
  const nets = rows.map(({ net }) => net).toSorted((x, y) => y - x);
  const buyers = rows.filter(({ net }) => net > 0);
  const sellers = rows.filter(({ net }) => net < 0);
  const top = (amounts: number[], count: number) => sum(amounts.slice(0, count), (amount) => amount);
  const ofClass = (of: Row['of']) => {
    const own = buyers.filter((row) => row.of === of);
    const paid = sum(own, ({ b }) => b);
    const shares = sum(own, (row) => row.shares);
    return {
      net:
        sum(
          rows.filter((row) => row.of === of),
          ({ net }) => net,
        ) / bought,
      entry: paid / bought,
      price: shares > 0 ? paid / shares : 0,
    };
  };
  const [retail, foreign, bandar] = [ofClass('retail'), ofClass('foreign'), ofClass('bandar')];
  const leader = buyers.toSorted((x, y) => y.net - x.net || (x.code < y.code ? -1 : 1))[0];
  return {
    turnover: bought,
    bought_shares: boughtShares,
    top1_buy: top(largestBuys, 1) / bought,
    top3_buy: top(largestBuys, 3) / bought,
    top5_buy: top(largestBuys, 5) / bought,
    top1_sell: top(largestSells, 1) / sold,
    top3_sell: top(largestSells, 3) / sold,
    top5_sell: top(largestSells, 5) / sold,
    hhi_buy: sum(rows, ({ b }) => (b / bought) ** 2),
    hhi_sell: sum(rows, ({ s }) => (s / sold) ** 2),
    top5_net:
      (sum(nets.slice(0, 5), (net) => Math.max(0, net)) + sum(nets.slice(-5), (net) => Math.min(0, net))) /
      bought,
    net_bought: sum(buyers, ({ net }) => net) / bought,
    churn: sum(rows, ({ b, s }) => Math.min(b, s)) / bought,
    breadth: (buyers.length - sellers.length) / rows.length,
    retail_net: retail.net,
    foreign_net: foreign.net,
    bandar_net: bandar.net,
    retail_buy:
      sum(
        rows.filter(({ of }) => of === 'retail'),
        ({ b }) => b,
      ) / bought,
    retail_entry: retail.entry,
    retail_entry_price: retail.price,
    foreign_entry: foreign.entry,
    foreign_entry_price: foreign.price,
    bandar_entry: bandar.entry,
    bandar_entry_price: bandar.price,
    leader: leader ? brokerNumber(leader.code) : 0,
  };
}

function rowAt({ columns }: BrokerFlow, row: number): Row {
  const { codes, isRetail, isForeign } = columns.brokers;
  const broker = columns.broker[row]!;
  const [b, s] = [numberAt(columns.buy_value, row), numberAt(columns.sell_value, row)];
  return {
    code: codes[broker]!,
    of: isRetail[broker] === 1 ? 'retail' : isForeign[broker] === 1 ? 'foreign' : 'bandar',
    b,
    s,
    net: b - s,
    shares: numberAt(columns.buy_shares, row),
    soldShares: numberAt(columns.sell_shares, row),
  };
}

function sum<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
