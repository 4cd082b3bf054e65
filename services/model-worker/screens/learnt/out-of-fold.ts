import { REFERENCE_CLOSE_IDR } from '#quant/features/reference-names.ts';
import { ascendingOrder } from '#quant/learning/sorting/ascending-order.ts';
import { auc } from '#quant/learning/validation/auc.ts';
import { calibrationError, reliabilityTable } from '#quant/learning/validation/reliability.ts';
import { brierScore, logLoss } from '#quant/learning/validation/scoring-rules.ts';
import { LIQUID_VALUE_IDR } from '#quant/regime/liquidity.ts';
import { rounded } from '../display.ts';
import type { PastForecast } from './learnt-market.ts';

/** How forecasts of days that their models had not seen came out. */
export interface OutOfFold {
  rows: number;
  /** Floors of the names that were forecast, IDR: no other was learnt from. */
  covers: { min_price: number; min_daily_val: number };
  /** Null when all came out alike. */
  auc: number | null;
  log_loss: number;
  brier: number;
  calibration_error: number;
  win_rate_pct: number;
  top_decile_win_rate_pct: number;
}

/** Every name of every day counts the same. */
export function outOfFold(past: readonly PastForecast[]): OutOfFold {
  const probabilities = Float32Array.from(past, ({ chance }) => chance);
  const labels = Uint8Array.from(past, ({ won }) => (won ? 1 : 0));
  const forecasts = { probabilities, scores: 1, labels };
  const area = auc(probabilities, labels);
  const highest = ascendingOrder(probabilities).subarray(-Math.ceil(past.length / 10));
  return {
    rows: past.length,
    covers: { min_price: REFERENCE_CLOSE_IDR, min_daily_val: LIQUID_VALUE_IDR },
    auc: Number.isNaN(area) ? null : rounded(area, 4),
    log_loss: rounded(logLoss(forecasts), 5),
    brier: rounded(brierScore(forecasts), 5),
    calibration_error: rounded(calibrationError(reliabilityTable(probabilities, labels)), 4),
    win_rate_pct: percentOfRows(labels, (row) => labels[row] === 1),
    top_decile_win_rate_pct: percentOfRows(highest, (i) => labels[highest[i]!] === 1),
  };
}

/** Of a model that tells names apart no better than chance does; no other deserves one. For display, in Bahasa Indonesia. */
export function cautionOf({ auc }: Pick<OutOfFold, 'auc'>): string | undefined {
  if (auc !== null && auc > 0.5) return undefined;
  return 'Pada hari-hari yang tidak ikut dipelajari, model ini tidak lebih baik daripada tebakan acak. Jangan mengandalkan probabilitasnya untuk tanggal ini.';
}

function percentOfRows(rows: ArrayLike<number>, isWin: (at: number) => boolean): number {
  let wins = 0;
  for (let i = 0; i < rows.length; i++) if (isWin(i)) wins++;
  return rounded((100 * wins) / rows.length, 1);
}
