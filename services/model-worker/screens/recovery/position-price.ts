import { rounded } from '../display.ts';
import type { PositionInput } from './recovery-params.ts';

export type PnlBucket = 'winner' | 'neutral' | 'loser';

/** What a position has made so far. */
export interface PositionPrice {
  /** Profit (loss when negative) in percent of the average price, two decimals. */
  pnlPct: number;
  /** IDR a share, two decimals. */
  avgPrice: number;
  bucket: PnlBucket;
}

/** Profit or loss in percent from which a position counts as won or lost. */
const DECIDED_PCT = 2;
/** What an average price is at least: the smallest that two decimals can say. */
const LEAST_PRICE_IDR = 0.01;

/** The number that was sent stays as it was sent; the other one follows from it and the current price in IDR. */
export function positionPrice(position: PositionInput, currentPrice: number): PositionPrice {
  const pnlPct = position.pnl_input ?? rounded(100 * (currentPrice / position.avg_price_input - 1), 2);
  const avgPrice =
    position.avg_price_input ?? Math.max(LEAST_PRICE_IDR, rounded(currentPrice / (1 + pnlPct / 100), 2));
  return { pnlPct, avgPrice, bucket: bucketOf(pnlPct) };
}

function bucketOf(pnlPct: number): PnlBucket {
  if (pnlPct >= DECIDED_PCT) return 'winner';
  return pnlPct <= -DECIDED_PCT ? 'loser' : 'neutral';
}
