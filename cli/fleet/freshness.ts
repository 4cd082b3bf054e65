import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';

/** What a market lacks, in words: `3 trading days behind since 2026-11-20 18:35, late; 1 day without rows: 2026-07-03`. */
export function lackText(of: Freshness): string {
  return of.missing_day_count === 0 ? endText(of) : `${endText(of)}; ${holesText(of)}`;
}

/** The days inside the market that have no rows: `2 days without rows: 2026-07-03, 2026-08-18`. Of many, the newest. */
export function holesText({ missing_days, missing_day_count: count }: Freshness): string {
  const more = count > missing_days.length ? ' and older ones' : '';
  return `${count === 1 ? '1 day' : `${count} days`} without rows: ${missing_days.join(', ')}${more}`;
}

/** What is missing at the end of a market. */
export function endText({ behind_trading_days, behind_since, is_late }: Freshness): string {
  if (behind_trading_days === 0) return 'up to date';
  const since = behind_since ? ` since ${jakartaDateTime(behind_since).slice(0, 16).replace('T', ' ')}` : '';
  const days = behind_trading_days === 1 ? '1 trading day' : `${behind_trading_days} trading days`;
  return `${days} behind${since}${is_late ? ', late' : ''}`;
}

/** Why, and what to do. Empty while the market is up to date, and until the reason is known. */
export function whyText({ reason_english, advice }: Freshness): string {
  return [reason_english, advice].filter((text) => text !== undefined).join(' ');
}
