import { AT } from '../broker-measures/measures.ts';
import type { RowWindows, WindowTotals } from './row-windows.ts';

/** A figure of a stock-day, computed from gross broker rows. A model sees its rank among the names of the day. */
export interface GrossFeature {
  /** snake_case. A number is a window in exchange days; `flow` is the run's own window. */
  name: string;
  /** In terms of {@link MEASURES}. Measures over a window are weighted by turnover. */
  formula: string;
  /** Reads the row's day and at most {@link LOOKBACK_DAYS} days before it. NaN where the feature is not defined. */
  of: (windows: RowWindows) => number;
}

/** Exchange days that a feature may read, the row's own included: two flow windows of 30, or 60 days of 5-day moves. */
export const LOOKBACK_DAYS = 65;

/** Longer streaks count as this length. */
const MAX_STREAK_DAYS = 30;

/** What the followed group of brokers did. */
const GROUP_FEATURES: readonly GrossFeature[] = [
  { name: 'group_net_flow', formula: 'net of the group', of: netOfGroup },
  {
    name: 'group_persistence_flow',
    formula: 'share of the days on which the net of the group is above 0',
    of: persistence,
  },
  {
    name: 'group_streak_30',
    formula: 'days in a row on which the net of the group has the sign of the last, below 0 for net selling',
    of: streak,
  },
  {
    name: 'group_entry_gap_flow',
    formula: 'close / average price paid by the net buyers of the group - 1',
    of: entryGap,
  },
];

/** Mean of the daily nets, weighted by turnover. */
function netOfGroup({ stock, group, at, flowDays }: RowWindows): number {
  let [net, turnover] = [0, 0];
  for (let day = Math.max(0, at + 1 - flowDays); day <= at; day++) {
    if (stock.isKnown[day] === 0) continue;
    const ofDay = stock.value(AT.turnover, day);
    net += ofDay * group.net[day]!;
    turnover += ofDay;
  }
  return net / turnover;
}

function persistence({ stock, group, at, flowDays }: RowWindows): number {
  let [known, bought] = [0, 0];
  for (let day = Math.max(0, at + 1 - flowDays); day <= at; day++) {
    if (stock.isKnown[day] === 0) continue;
    known++;
    if (group.net[day]! > 0) bought++;
  }
  return bought / known;
}

/** Unknown days, which include days without a trade, do not break a streak. */
function streak({ stock, group, at }: RowWindows): number {
  let [side, length] = [0, 0];
  for (let day = at; day > at - MAX_STREAK_DAYS && day >= 0; day--) {
    if (stock.isKnown[day] === 0) continue;
    const sign = Math.sign(group.net[day]!);
    if (length > 0 && sign !== side) break;
    side = sign;
    length++;
  }
  return length === 0 ? NaN : side * length;
}

/** NaN when the group's brokers were net buyers on no day of the window. */
export function entryGap({ stock, group, at, flowDays }: RowWindows): number {
  let [paid, shares] = [0, 0];
  for (let day = Math.max(0, at + 1 - flowDays); day <= at; day++) {
    if (stock.isKnown[day] === 0) continue;
    paid += group.paid[day]!;
    shares += group.shares[day]!;
  }
  return (stock.close[at]! * shares) / paid - 1;
}

/** (top5 net buyers + top5 net sellers) / all net bought. Near 1 when a few brokers bought what many sold. */
const accumulation = (totals: WindowTotals) => totals.sum(AT.top5_net) / totals.sum(AT.net_bought);

export const hhiGap = (totals: WindowTotals) => totals.mean(AT.hhi_buy) - totals.mean(AT.hhi_sell);

/** Features of the last day, of the last five days, and of longer fixed windows. They do not depend on the run's own window. */
export const SHORT_FEATURES: readonly GrossFeature[] = [
  { name: 'top5_buy_1', formula: 'top5_buy', of: ({ one }) => one.mean(AT.top5_buy) },
  { name: 'accumulation_1', formula: 'top5_net / net_bought', of: ({ one }) => accumulation(one) },
  { name: 'breadth_1', formula: 'breadth', of: ({ one }) => one.mean(AT.breadth) },
  { name: 'retail_net_1', formula: 'retail_net', of: ({ one }) => one.mean(AT.retail_net) },
  { name: 'hhi_gap_5', formula: 'hhi_buy - hhi_sell', of: ({ five }) => hhiGap(five) },
  { name: 'accumulation_5', formula: 'top5_net / net_bought', of: ({ five }) => accumulation(five) },
  { name: 'breadth_5', formula: 'breadth', of: ({ five }) => five.mean(AT.breadth) },
  { name: 'retail_net_5', formula: 'retail_net', of: ({ five }) => five.mean(AT.retail_net) },
  { name: 'bandar_net_5', formula: 'bandar_net', of: ({ five }) => five.mean(AT.bandar_net) },
  {
    name: 'leader_newness_20',
    formula: '1 - share of the 20 days before on which the leader of the day led',
    of: leaderNewness,
  },
  {
    name: 'smart_money_divergence_60',
    formula: 'z(bandar and foreign investor net of 5 days) - z(return of 5 days), over 60 days',
    of: smartMoneyDivergenceByDays,
  },
];

const DAYS_BEFORE = 20;
/** With fewer known days the usual leader cannot be told. */
const MIN_KNOWN_DAYS = 10;

/**
 * 1 - the share of the 20 days before on which the day's largest net buyer was also the largest: 1 when it never was, 0 when
 * it always was. NaN without a net buyer, and when fewer than 10 of the days before are known.
 */
function leaderNewness({ stock, at }: RowWindows): number {
  if (stock.isKnown[at] === 0) return NaN;
  const leader = stock.value(AT.leader, at);
  if (leader === 0) return NaN;
  let [known, led] = [0, 0];
  for (let day = Math.max(0, at - DAYS_BEFORE); day < at; day++) {
    if (stock.isKnown[day] === 0) continue;
    known++;
    if (stock.value(AT.leader, day) === leader) led++;
  }
  return known < MIN_KNOWN_DAYS ? NaN : 1 - led / known;
}

/** Exchange days that define what is usual for the stock, and how many of them must be known. */
const USUAL_DAYS = 60;
const MIN_USUAL_DAYS = 40;

/**
 * z(net bought by local institutions and foreign investors in 5 days) - z(return of 5 days), each z = (last - mean) /
 * population standard deviation over the stock's last 60 exchange days. Positive when they bought more than usual and the
 * price does not show it yet. NaN when the last day is unknown, when fewer than 40 days are known, or when either never
 * varies.
 */
function smartMoneyDivergenceByDays({ stock, at }: RowWindows): number {
  const { bought, returns } = stock.moves;
  if (Number.isNaN(bought[at]! + returns[at]!)) return NaN;
  let [known, boughtSum, returnSum] = [0, 0, 0];
  const first = Math.max(0, at + 1 - USUAL_DAYS);
  for (let day = first; day <= at; day++) {
    if (Number.isNaN(bought[day]! + returns[day]!)) continue;
    known++;
    boughtSum += bought[day]!;
    returnSum += returns[day]!;
  }
  if (known < MIN_USUAL_DAYS) return NaN;
  const [boughtMean, returnMean] = [boughtSum / known, returnSum / known];
  let [boughtSquares, returnSquares] = [0, 0];
  for (let day = first; day <= at; day++) {
    if (Number.isNaN(bought[day]! + returns[day]!)) continue;
    boughtSquares += (bought[day]! - boughtMean) ** 2;
    returnSquares += (returns[day]! - returnMean) ** 2;
  }
  const flowScore = (bought[at]! - boughtMean) / Math.sqrt(boughtSquares / known);
  const priceScore = (returns[at]! - returnMean) / Math.sqrt(returnSquares / known);
  const divergence = flowScore - priceScore;
  return Number.isFinite(divergence) ? divergence : NaN;
}

/** Features of the run's own window and of the group that it follows. */
export const FLOW_FEATURES: readonly GrossFeature[] = [
  ...GROUP_FEATURES,
  { name: 'top1_buy_flow', formula: 'top1_buy', of: ({ flow }) => flow.mean(AT.top1_buy) },
  { name: 'top3_buy_flow', formula: 'top3_buy', of: ({ flow }) => flow.mean(AT.top3_buy) },
  { name: 'top5_buy_flow', formula: 'top5_buy', of: ({ flow }) => flow.mean(AT.top5_buy) },
  { name: 'top5_sell_flow', formula: 'top5_sell', of: ({ flow }) => flow.mean(AT.top5_sell) },
  { name: 'hhi_gap_flow', formula: 'hhi_buy - hhi_sell', of: ({ flow }) => hhiGap(flow) },
  { name: 'accumulation_flow', formula: 'top5_net / net_bought', of: ({ flow }) => accumulation(flow) },
  { name: 'churn_flow', formula: 'churn', of: ({ flow }) => flow.mean(AT.churn) },
  { name: 'breadth_flow', formula: 'breadth', of: ({ flow }) => flow.mean(AT.breadth) },
  { name: 'retail_net_flow', formula: 'retail_net', of: ({ flow }) => flow.mean(AT.retail_net) },
  { name: 'foreign_net_flow', formula: 'foreign_net', of: ({ flow }) => flow.mean(AT.foreign_net) },
  { name: 'bandar_net_flow', formula: 'bandar_net', of: ({ flow }) => flow.mean(AT.bandar_net) },
  {
    name: 'retail_share_change_flow',
    formula: 'retail_buy - retail_buy of as many days before',
    of: retailShareChange,
  },
  {
    name: 'nego_value_flow',
    formula: 'negotiated value / mean value of 20 days in the regular market',
    of: (windows) => negotiated(windows).value / windows.averageValue,
  },
  {
    name: 'nego_premium_flow',
    formula: "negotiated value / negotiated shares at each day's close - 1",
    of: (windows) => {
      const { value, atClose } = negotiated(windows);
      return value / atClose - 1;
    },
  },
];

function retailShareChange({ stock, flow, at, flowDays }: RowWindows): number {
  let [bought, turnover] = [0, 0];
  for (let day = Math.max(0, at + 1 - 2 * flowDays); day <= at - flowDays; day++) {
    if (stock.isKnown[day] === 0) continue;
    bought += stock.value(AT.retail_buy, day) * stock.value(AT.turnover, day);
    turnover += stock.value(AT.turnover, day);
  }
  return flow.mean(AT.retail_buy) - bought / turnover;
}

/** Negotiated value over the window in IDR, as agreed and at the closes of the regular market. */
function negotiated({ stock, at, flowDays }: RowWindows): { value: number; atClose: number } {
  const { nego_value, nego_volume, close } = stock.panel.columns;
  let [value, atClose] = [0, 0];
  for (let day = Math.max(0, at + 1 - flowDays); day <= at; day++) {
    const row = stock.row[day]!;
    if (row < 0) continue;
    value += nego_value[row]!;
    atClose += nego_volume[row]! * close[row]!;
  }
  return { value, atClose };
}
