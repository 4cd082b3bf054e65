import { AT } from '../broker-days/measures.ts';
import type { GrossFeature } from './gross-feature.ts';
import { GROUP_FEATURES } from './group-features.ts';
import type { RowWindows } from './row-windows.ts';
import { accumulation, hhiGap } from './short-features.ts';

/** Of the run's own window, and of the group it follows. */
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

/** IDR over the window: as it was agreed, and at the closes of the regular market. */
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
