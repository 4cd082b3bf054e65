import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import { jakartaDateTime } from '#shared/jakarta-time.ts';

/** What a market lacks, in words: `3 trading days behind since 2026-11-20 18:35, late`. */
export function lackText({ behind_trading_days, behind_since, is_late }: Freshness): string {
  if (behind_trading_days === 0) return 'up to date';
  const since = behind_since ? ` since ${jakartaDateTime(behind_since).slice(0, 16).replace('T', ' ')}` : '';
  const days = behind_trading_days === 1 ? '1 trading day' : `${behind_trading_days} trading days`;
  return `${days} behind${since}${is_late ? ', late' : ''}`;
}

/** Why, and what to do. Empty while the market is up to date, and until the reason is known. */
export function whyText({ reason_english, advice }: Freshness): string {
  return [reason_english, advice].filter((text) => text !== undefined).join(' ');
}
