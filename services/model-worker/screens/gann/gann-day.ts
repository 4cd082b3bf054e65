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
  /** Of the names of past days that pass. */
  quality: (passes: (past: GannStock) => boolean) => ModelQuality;
  /** What `diag.model` says; null where nothing was learnt. */
  description: Record<string, unknown> | null;
  model?: LearntModel;
}
