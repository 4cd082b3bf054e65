import type { OutOfFold } from './result.ts';
import { REFERENCE_CLOSE_IDR } from '#quant/features/feature-table.ts';
import { ascendingOrder } from '#quant/learning/ascending-order.ts';
import {
  auc,
  calibrationError,
  reliabilityTable,
  type ReliabilityBin,
  brierScore,
  logLoss,
} from '#quant/learning/validation/scoring.ts';
import { LIQUID_VALUE_IDR } from '#quant/universe/liquidity.ts';
import { Localised } from '#foundation/text/localised.ts';
import { toDecimals } from '#foundation/rounded.ts';
import type { PastColumns } from './model-cache.ts';

/** Every filled order counts the same, whatever its name and day. */
export function outOfFold({
  chance,
  filled,
  won,
}: Pick<PastColumns, 'chance' | 'filled' | 'won'>): OutOfFold {
  const [probabilities, labels] = ofFilled(chance, won, filled);
  const forecasts = { probabilities, scores: 1, labels };
  const area = auc(probabilities, labels);
  const table = reliabilityTable(probabilities, labels);
  return {
    rows: labels.length,
    covers: { min_price: REFERENCE_CLOSE_IDR, min_daily_val: LIQUID_VALUE_IDR },
    auc: Number.isNaN(area) ? null : toDecimals(area, 4),
    log_loss: measured(labels, logLoss(forecasts), 5),
    brier: measured(labels, brierScore(forecasts), 5),
    calibration_error: measured(labels, calibrationError(table), 4),
    win_rate_pct: measured(labels, (100 * winsOf(labels)) / labels.length, 1),
    top_decile_win_rate_pct: measured(labels, 100 * topDecileWinRate(probabilities, labels), 1),
    reliability: reliabilityOf(table),
  };
}

function ofFilled(
  chance: Float32Array,
  won: Uint8Array,
  filled: Uint8Array,
): [probabilities: Float32Array, labels: Uint8Array] {
  const [probabilities, labels] = [chance.slice(), won.slice()];
  let count = 0;
  // A loop, because `filter` with a function takes ten times as long.
  for (let i = 0; i < chance.length; i++) {
    if (filled[i] !== 1) continue;
    probabilities[count] = chance[i]!;
    labels[count++] = won[i]!;
  }
  return [probabilities.subarray(0, count), labels.subarray(0, count)];
}

function reliabilityOf(table: readonly ReliabilityBin[]): OutOfFold['reliability'] {
  return table.flatMap(({ weight, forecast, observed }) =>
    forecast === null || observed === null
      ? []
      : [
          {
            forecast_pct: toDecimals(100 * forecast, 2),
            won_pct: toDecimals(100 * observed, 2),
            rows: weight,
          },
        ],
  );
}

const NO_BETTER_THAN_CHANCE = new Localised(
  'Pada hari-hari yang tidak ikut dipelajari, model ini tidak lebih baik daripada tebakan acak. Jangan mengandalkan probabilitasnya untuk tanggal ini.',
  'On days that it had not learnt from, this model was no better than guessing. Do not rely on its probabilities for this day.',
);

/** A display warning for a model that separates names no better than chance; undefined for any better model. */
export function cautionOf({ auc }: Pick<OutOfFold, 'auc'>): Localised | undefined {
  if (auc !== null && auc > 0.5) return undefined;
  return NO_BETTER_THAN_CHANCE;
}

/**
 * Share of wins among the tenth with the highest probabilities. Of rows that are as probable as the last of them, each counts as
 * their mean, so that the order of the rows does not matter.
 */
function topDecileWinRate(probabilities: Float32Array, labels: Uint8Array): number {
  const count = Math.ceil(labels.length / 10);
  const border = probabilities[ascendingOrder(probabilities).at(-count) ?? 0]!;
  const [above, tied] = [
    { rows: 0, wins: 0 },
    { rows: 0, wins: 0 },
  ];
  for (let i = 0; i < labels.length; i++) {
    if (probabilities[i]! < border) continue;
    const part = probabilities[i]! > border ? above : tied;
    part.rows++;
    part.wins += labels[i]!;
  }
  return (above.wins + ((count - above.rows) * tied.wins) / tied.rows) / count;
}

function winsOf(labels: Uint8Array): number {
  let wins = 0;
  for (let i = 0; i < labels.length; i++) wins += labels[i]!;
  return wins;
}

/** Null if there are no rows. */
function measured(of: ArrayLike<unknown>, figure: number, decimals: number): number | null {
  return of.length === 0 ? null : toDecimals(figure, decimals);
}
