import { measuresOf } from '../broker-measures/broker-days-fixture.ts';
import type { Measure } from '../broker-measures/measures.ts';
import type { BrokerGroup, FlowSettings } from './row-windows.ts';
import type { FlowMarket } from './random-flow-fixture.ts';

type Summary = Record<Measure, number>;
type Day = { day: number; summary: Summary };

const GROUP_NET: Record<BrokerGroup, (day: Summary) => number> = {
  all: ({ top5_net }) => top5_net,
  foreign: ({ foreign_net }) => foreign_net,
  bandar: ({ bandar_net }) => bandar_net,
  ex_retail: ({ foreign_net, bandar_net }) => foreign_net + bandar_net,
};
const GROUP_CLASSES: Record<BrokerGroup, ('retail' | 'foreign' | 'bandar')[]> = {
  all: ['retail', 'foreign', 'bandar'],
  foreign: ['foreign'],
  bandar: ['bandar'],
  ex_retail: ['foreign', 'bandar'],
};

/** Computes the features of a stock-day (indices) directly from the broker rows, in the simplest way. */
export function naiveFeatures(
  { panel, flow }: FlowMarket,
  ticker: number,
  day: number,
  { days, group }: FlowSettings,
): Record<string, number> {
  const known = (from: number, to: number): Day[] =>
    Array.from({ length: Math.max(0, to + 1 - Math.max(0, from)) }, (_, i) => Math.max(0, from) + i).flatMap(
      (each) => {
        const summary = measuresOf(flow, ticker, each);
        return summary ? [{ day: each, summary }] : [];
      },
    );
  const [one, five, window] = [1, 5, days].map((count) => known(day + 1 - count, day)) as [
    Day[],
    Day[],
    Day[],
  ];
  const before = known(day + 1 - 2 * days, day - days);
  const mean = (of: Day[], measure: (summary: Summary) => number) =>
    total(of, ({ summary }) => summary.turnover * measure(summary)) /
    total(of, ({ summary }) => summary.turnover);
  const accumulation = (of: Day[]) =>
    mean(of, ({ top5_net }) => top5_net) / mean(of, ({ net_bought }) => net_bought);
  const hhiGap = (of: Day[]) => mean(of, ({ hhi_buy, hhi_sell }) => hhi_buy - hhi_sell);
  const net = ({ summary }: Day) => GROUP_NET[group](summary);
  const adjusted = (each: number) => {
    const row = panel.lastRow(ticker, each);
    return panel.priceScale(row, panel.lastRow(ticker, day));
  };
  const paid = (each: Day) =>
    total(GROUP_CLASSES[group], (of) => each.summary.turnover * each.summary[`${of}_entry`]);
  const shares = (each: Day) =>
    total(GROUP_CLASSES[group], (of) => {
      const amount = each.summary.turnover * each.summary[`${of}_entry`];
      return amount > 0 ? amount / (each.summary[`${of}_entry_price`] * adjusted(each.day)) : 0;
    });
  const close = panel.columns.close[panel.lastRow(ticker, day)]!;
  return {
    top5_buy_1: mean(one, ({ top5_buy }) => top5_buy),
    accumulation_1: accumulation(one),
    breadth_1: mean(one, ({ breadth }) => breadth),
    retail_net_1: mean(one, ({ retail_net }) => retail_net),
    hhi_gap_5: hhiGap(five),
    accumulation_5: accumulation(five),
    breadth_5: mean(five, ({ breadth }) => breadth),
    retail_net_5: mean(five, ({ retail_net }) => retail_net),
    bandar_net_5: mean(five, ({ bandar_net }) => bandar_net),
    leader_newness_20: newness(one[0]?.summary.leader ?? 0, known(day - 20, day - 1)),
    group_net_flow: mean(window, GROUP_NET[group]),
    group_persistence_flow: window.filter((each) => net(each) > 0).length / window.length,
    group_streak_30: streak(known(day - 29, day).map(net)),
    group_entry_gap_flow: close / (total(window, paid) / total(window, shares)) - 1,
    top1_buy_flow: mean(window, ({ top1_buy }) => top1_buy),
    top3_buy_flow: mean(window, ({ top3_buy }) => top3_buy),
    top5_buy_flow: mean(window, ({ top5_buy }) => top5_buy),
    top5_sell_flow: mean(window, ({ top5_sell }) => top5_sell),
    hhi_gap_flow: hhiGap(window),
    accumulation_flow: accumulation(window),
    churn_flow: mean(window, ({ churn }) => churn),
    breadth_flow: mean(window, ({ breadth }) => breadth),
    retail_net_flow: mean(window, ({ retail_net }) => retail_net),
    foreign_net_flow: mean(window, ({ foreign_net }) => foreign_net),
    bandar_net_flow: mean(window, ({ bandar_net }) => bandar_net),
    retail_share_change_flow:
      mean(window, ({ retail_buy }) => retail_buy) - mean(before, ({ retail_buy }) => retail_buy),
  };
}

function newness(leader: number, before: Day[]): number {
  if (leader === 0 || before.length < 10) return NaN;
  return 1 - before.filter(({ summary }) => summary.leader === leader).length / before.length;
}

function streak(nets: number[]): number {
  if (nets.length === 0) return NaN;
  const side = Math.sign(nets.at(-1)!);
  const broken = nets.findLastIndex((net) => Math.sign(net) !== side);
  return side * (nets.length - 1 - broken);
}

function total<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}
