import type { PicksOf } from '../learnt/best-of-each-day.ts';
import type { LearntModel } from '../screen.ts';
import type { ModelQuality, ScoredStock } from '../learnt/learnt-market.ts';

/** A name of a day; without learning nothing is known of its chance. */
export type GannStock = Omit<ScoredStock, 'chance' | 'probability'> &
  Partial<Pick<ScoredStock, 'chance' | 'probability'>>;

/** A market of one day as the screen sees it, whether or not it was learnt from: a LearntMarket is one. */
export interface GannDay {
  /** Calendar index of the analysed day. */
  day: number;
  /** The same as YYYY-MM-DD. */
  asOf: string;
  /** Every name that could be dealt in, of any price and value; ascending by code. */
  stocks: readonly GannStock[];
  /** Of what a run would have picked of the names of each past day. */
  quality: (picksOf: PicksOf<GannStock>) => ModelQuality;
  /** What `diag.model` says; null where nothing was learnt. */
  description: Record<string, unknown> | null;
  model?: LearntModel;
}
