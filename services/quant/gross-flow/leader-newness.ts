import { AT } from '../broker-days/measures.ts';
import type { RowWindows } from './row-windows.ts';

const DAYS_BEFORE = 20;
/** Fewer known days say little about who usually leads. */
const LEAST_DAYS = 10;

/**
 * 1 when the day's largest net buyer was that on none of the 20 days before, less the more often it was, 0 when always.
 * NaN without a net buyer, and when fewer than 10 of the days before are known.
 */
export function leaderNewness({ stock, at }: RowWindows): number {
  if (stock.isKnown[at] === 0) return NaN;
  const leader = stock.value(AT.leader, at);
  if (leader === 0) return NaN;
  let [known, led] = [0, 0];
  for (let day = Math.max(0, at - DAYS_BEFORE); day < at; day++) {
    if (stock.isKnown[day] === 0) continue;
    known++;
    if (stock.value(AT.leader, day) === leader) led++;
  }
  return known < LEAST_DAYS ? NaN : 1 - led / known;
}
