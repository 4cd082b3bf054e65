import type { ScoredStock } from './learnt-market.ts';

export interface RankedStock {
  stock: ScoredStock;
  /** What it is ranked by, 0 to 100. */
  score: number;
}
