import type { Company } from './company.ts';
import { logValueAt, valueAt } from './quantile-curve.ts';
import type { QuantileCurve } from './quantile-curve.ts';
import type { Random } from './random.ts';

/** Negotiated trades of a day: shares (odd lots too), IDR, number of deals. */
export interface NegoTrades {
  volume: number;
  value: number;
  frequency: number;
}

export const NO_NEGO: Readonly<NegoTrades> = { volume: 0, value: 0, frequency: 0 };

/** Price agreed against the close, as measured on the real market: crossings at the close, and odd deals far off. */
const PREMIUM: QuantileCurve = [
  [0, -0.9],
  [0.01, -0.54],
  [0.05, -0.24],
  [0.25, -0.014],
  [0.45, 0],
  [0.55, 0],
  [0.75, 0.01],
  [0.95, 0.17],
  [0.99, 0.44],
  [1, 1],
];

/** IDR of a day with such trades: many odd lots, few blocks of tens of billions. */
const VALUE_IDR: QuantileCurve = [
  [0, 5e4],
  [0.25, 2e7],
  [0.63, 1e9],
  [0.815, 7e9],
  [0.963, 7.8e10],
  [0.996, 5e11],
  [1, 2e12],
];
const DEALS: QuantileCurve = [
  [0, 1],
  [0.35, 1],
  [0.5, 4],
  [0.9, 25],
  [1, 200],
];

/** Blocks happen on days without regular trades too, but seldom. */
const UNTRADED_DAY_FACTOR = 0.3;
const LARGEST_PART_OF_COMPANY = 0.05;

export function negoTrades(
  random: Random,
  company: Company,
  day: { close: number; traded: boolean; listedShares: number },
): NegoTrades {
  const probability = company.negoProbability * (day.traded ? 1 : UNTRADED_DAY_FACTOR);
  if (!random.chance(probability)) return NO_NEGO;
  const price = Math.max(1, Math.round(day.close * (1 + valueAt(PREMIUM, random.uniform()))));
  const wanted = Math.round(logValueAt(VALUE_IDR, random.uniform()) / price);
  const volume = Math.max(1, Math.min(wanted, Math.floor(day.listedShares * LARGEST_PART_OF_COMPANY)));
  const frequency = Math.min(volume, Math.round(logValueAt(DEALS, random.uniform())));
  return { volume, value: volume * price, frequency };
}
