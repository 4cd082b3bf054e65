import type { Schemas } from '#client/index.ts';
import { namesIn } from '#console/words/names-in.ts';

/** Where a screen looks: at all stocks, or at those that `named` names. */
export const AMONG = ['all', 'sector', 'tickers', 'watchlist'] as const;
type Among = (typeof AMONG)[number];

/** What a person has entered, and has not saved yet. */
export interface Draft {
  rules: string;
  among: Among;
  /** A sector, the id of a watchlist, or tickers as they were typed. Empty for all stocks. */
  named: string;
}

export const EMPTY: Draft = { rules: '', among: 'all', named: '' };

/** Rules to begin with, by the name of their words. */
export const EXAMPLES = {
  oversold: 'rsi_14 < 35 and foreign_net_20d_idr > 0 and is_liquid sort by foreign_net_20d_pct desc',
  breakout: 'dist_high_52w_pct > -2% and volume_ratio_20 > 1.5 and is_liquid sort by volume_ratio_20 desc',
  accumulation:
    'bandar_streak_days >= 3 and retail_net_20d_idr < 0 and is_liquid sort by bandar_net_20d_idr desc',
  pullback: 'close > sma_200 and rsi_5 < 40 and is_liquid sort by value_20d desc',
} as const;

/** A saved screen by rules as a person would enter it. */
export function draftOf({ rules_text, universe }: Schemas['Screen']): Draft {
  const { sector, watchlist_id, tickers = [] } = universe ?? {};
  const rules = rules_text ?? '';
  if (sector !== undefined) return { rules, among: 'sector', named: sector };
  if (watchlist_id !== undefined) return { rules, among: 'watchlist', named: watchlist_id };
  return tickers.length > 0 ? { rules, among: 'tickers', named: tickers.join(', ') } : { ...EMPTY, rules };
}

/** The rules and the universe for a request. What was left empty does not restrict the stocks. */
export function requestOf({ rules, among, named }: Draft) {
  const wanted = named.trim();
  if (among === 'all' || wanted === '') return { rules };
  if (among === 'sector') return { rules, universe: { sector: wanted } };
  if (among === 'watchlist') return { rules, universe: { watchlist_id: wanted } };
  return { rules, universe: { tickers: namesIn(wanted) } };
}

export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(requestOf(one)) === JSON.stringify(requestOf(other));
}
