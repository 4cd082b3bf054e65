import { AT } from '../broker-days/measures.ts';
import type { GrossFeature } from './gross-feature.ts';
import type { RowWindows } from './row-windows.ts';

/** Longer streaks count as this. */
const LONGEST_STREAK_DAYS = 30;

/** What the chosen group of brokers did. */
export const GROUP_FEATURES: readonly GrossFeature[] = [
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

/** Weighed by turnover. */
export function netOfGroup({ stock, group, at, flowDays }: RowWindows): number {
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

/** Days that are not known, as those without a trade, break nothing. */
function streak({ stock, group, at }: RowWindows): number {
  let [side, length] = [0, 0];
  for (let day = at; day > at - LONGEST_STREAK_DAYS && day >= 0; day--) {
    if (stock.isKnown[day] === 0) continue;
    const sign = Math.sign(group.net[day]!);
    if (length > 0 && sign !== side) break;
    side = sign;
    length++;
  }
  return length === 0 ? NaN : side * length;
}

/** NaN when the group's brokers were net buyers on no day. */
export function entryGap({ stock, group, at, flowDays }: RowWindows): number {
  let [paid, shares] = [0, 0];
  for (let day = Math.max(0, at + 1 - flowDays); day <= at; day++) {
    if (stock.isKnown[day] === 0) continue;
    paid += group.paid[day]!;
    shares += group.shares[day]!;
  }
  return (stock.close[at]! * shares) / paid - 1;
}
