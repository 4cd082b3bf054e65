import { roundToTick } from '../exchange/tick-size.ts';
import type { CorporateAction } from './listing-plan.ts';

/** Rights are offered this much below the market. */
const RIGHTS_DISCOUNT = 0.25;
/** A split never takes a price near the floor of 50. */
const LOWEST_PRICE_AFTER = 60;

/** What an action does overnight, or null when the price no longer allows it. */
export interface Restatement {
  /** The exchange's reference price of the day: the close before, restated. */
  previous: number;
  listedShares: number;
}

/**
 * Splits divide the price by the ratio of shares; rights leave it at the theoretical ex-rights price
 * (close + new shares per old × subscription price) / shares after.
 */
export function restate(action: CorporateAction, close: number, listedShares: number): Restatement | null {
  const { kind, ratio } = action;
  const subscribed = kind === 'rights' ? (ratio - 1) * close * (1 - RIGHTS_DISCOUNT) : 0;
  const previous = roundToTick((close + subscribed) / ratio);
  if (previous < LOWEST_PRICE_AFTER) return null;
  return { previous, listedShares: Math.round(listedShares * ratio) };
}
