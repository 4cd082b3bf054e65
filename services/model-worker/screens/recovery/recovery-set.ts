import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { FeatureMatrix } from '#quant/learning/matrix/feature-matrix.ts';
import type { PastRow } from '#quant/recovery/analogs.ts';
import type { DailyVolatility } from '#quant/recovery/daily-volatility.ts';
import { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { bucketCutsPct, bucketOf } from '#quant/recovery/return-buckets.ts';
import { requireEnough } from '../learnt/learn-market.ts';
import { recoveryMatrix } from './recovery-features.ts';
import { DAYS_APART, TRAIN_DAYS } from './recovery-plan.ts';

/** What the forecast learns from, one entry a row, in order of days. */
export interface RecoverySet {
  matrix: FeatureMatrix;
  /** Calendar day of each. */
  days: Uint16Array;
  /** Bucket that the price ended in, an index into `RETURN_BUCKETS`. */
  labels: Uint8Array;
  past: PastRow[];
}

/** Window of the volatility by which analogs are likened, in bars. */
export const LIKENESS_BARS = 60;

/**
 * Rows of the reference names whose outcome was known well before `day`, of every `DAYS_APART`th day counted back from
 * the newest.
 * @throws RunFailure when they are too few.
 */
export function recoverySet(
  table: FeatureTable,
  day: number,
  horizonDays: number,
  volatility: DailyVolatility,
): RecoverySet {
  const all = requireEnough(table, day, { horizonDays, trainDays: TRAIN_DAYS });
  const newest = table.dayOf(all.at(-1)!);
  const rows = all.filter((row) => (newest - table.dayOf(row)) % DAYS_APART === 0);
  const past = pastRows(table, rows, horizonDays, volatility);
  return {
    matrix: recoveryMatrix(table, rows, volatility),
    days: Uint16Array.from(rows, (row) => table.dayOf(row)),
    labels: Uint8Array.from(past, ({ bucket }) => bucket),
    past,
  };
}

function pastRows(
  { panel, columns }: FeatureTable,
  rows: Uint32Array,
  horizonDays: number,
  volatility: DailyVolatility,
): PastRow[] {
  const paths = new ForwardPaths(panel, horizonDays);
  const cuts = bucketCutsPct(horizonDays);
  return Array.from(rows, (row) => {
    const [ticker, panelRow] = [columns.ticker[row]!, columns.panelRow[row]!];
    return {
      ticker,
      panelRow,
      bucket: bucketOf(100 * paths.returnOf(ticker, panelRow), cuts),
      volatility: volatility.of(ticker, panelRow, LIKENESS_BARS),
    };
  });
}
