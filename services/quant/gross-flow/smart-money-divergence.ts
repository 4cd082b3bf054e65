import type { RowWindows } from './row-windows.ts';

/** Exchange days that say what is usual of the stock, and how many of them must be known. */
const USUAL_DAYS = 60;
const LEAST_DAYS = 40;

/**
 * z(net bought by local institutions and foreign investors in 5 days) - z(return of 5 days), each (last - mean) /
 * population standard deviation over the stock's last 60 exchange days: positive when they bought more, against what is
 * usual, than the price tells. NaN when the last day is not known, when fewer than 40 are, or when one never varies.
 */
export function smartMoneyDivergence({ stock, at }: RowWindows): number {
  const { bought, returns } = stock.moves;
  if (Number.isNaN(bought[at]! + returns[at]!)) return NaN;
  let [known, boughtSum, returnSum] = [0, 0, 0];
  const first = Math.max(0, at + 1 - USUAL_DAYS);
  for (let day = first; day <= at; day++) {
    if (Number.isNaN(bought[day]! + returns[day]!)) continue;
    known++;
    boughtSum += bought[day]!;
    returnSum += returns[day]!;
  }
  if (known < LEAST_DAYS) return NaN;
  const [boughtMean, returnMean] = [boughtSum / known, returnSum / known];
  let [boughtSquares, returnSquares] = [0, 0];
  for (let day = first; day <= at; day++) {
    if (Number.isNaN(bought[day]! + returns[day]!)) continue;
    boughtSquares += (bought[day]! - boughtMean) ** 2;
    returnSquares += (returns[day]! - returnMean) ** 2;
  }
  const flowScore = (bought[at]! - boughtMean) / Math.sqrt(boughtSquares / known);
  const priceScore = (returns[at]! - returnMean) / Math.sqrt(returnSquares / known);
  const divergence = flowScore - priceScore;
  return Number.isFinite(divergence) ? divergence : NaN;
}
