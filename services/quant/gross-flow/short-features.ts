import { AT } from '../broker-days/measures.ts';
import type { GrossFeature } from './gross-feature.ts';
import { leaderNewness } from './leader-newness.ts';
import { smartMoneyDivergence } from './smart-money-divergence.ts';
import type { WindowTotals } from './window-totals.ts';

/** (top5 net buyers + top5 net sellers) / all net bought: 1 when a few took what many gave away. */
export const accumulation = (totals: WindowTotals) => totals.sum(AT.top5_net) / totals.sum(AT.net_bought);

export const hhiGap = (totals: WindowTotals) => totals.mean(AT.hhi_buy) - totals.mean(AT.hhi_sell);

/** Of the last day and the last five, whatever a run's own window is. */
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
    of: smartMoneyDivergence,
  },
];
