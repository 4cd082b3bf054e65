import type { RecoveryQuality } from './result.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import { brierScore, logLoss, type Forecasts } from '#quant/learning/validation/scoring.ts';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { Localised, localised } from '#foundation/text/localised.ts';
import { notice } from '../reasons/notice.ts';

const CLASSES = RETURN_BUCKETS.length;

/**
 * How good the forecasts of unseen days were compared with climatology, which gives every name the frequency of each bucket on
 * the training days. Uses the folds that did not choose the rounds. `labels` are those of all rows trained on.
 */
export function recoveryQuality({ folds }: Pick<Learnt, 'folds'>, labels: Uint8Array): RecoveryQuality {
  const judged = folds.filter(({ probabilities }) => probabilities !== null);
  const rows = judged.reduce((sum, fold) => sum + fold.labels.length, 0);
  const came = new Uint8Array(rows);
  const [given, usual] = [new Float32Array(rows * CLASSES), new Float64Array(rows * CLASSES)];
  let row = 0;
  for (const { train, labels: ofFold, probabilities } of judged) {
    came.set(ofFold, row);
    given.set(probabilities!, row * CLASSES);
    const rates = baseRates(labels.subarray(train.from, train.to));
    for (const end = row + ofFold.length; row < end; row++) usual.set(rates, row * CLASSES);
  }
  const forecast: Forecasts = { probabilities: given, scores: CLASSES, labels: came };
  const climatology: Forecasts = { ...forecast, probabilities: usual };
  const [brier, usualBrier] = [brierScore(forecast), brierScore(climatology)];
  if (came.length === 0) return { candidates: 0 };
  return {
    log_loss: toDecimals(logLoss(forecast), 4),
    climatology_log_loss: toDecimals(logLoss(climatology), 4),
    brier_score: toDecimals(brier, 4),
    climatology_brier_score: toDecimals(usualBrier, 4),
    ...(usualBrier > 0 && { brier_skill: toDecimals(1 - brier / usualBrier, 4) }),
    candidates: came.length,
  };
}

const NO_BETTER_THAN_AVERAGE = new Localised(
  'Pada hari-hari yang tidak ikut dipelajari, perkiraan model ini tidak lebih baik daripada frekuensi rata-rata pasar. Jangan mengandalkannya untuk tanggal ini.',
  'On days that it had not learnt from, the forecasts of this model were no better than the average frequencies of the market. Do not rely on them for this day.',
);

/** On a short history labels of the fold that chose the rounds reach into all later ones. */
const NOT_MEASURED = new Localised(
  'Riwayat data terlalu pendek untuk mengukur perkiraan model ini pada hari-hari yang tidak ikut dipelajari. Belum diketahui apakah perkiraannya lebih baik daripada frekuensi rata-rata pasar.',
  'The history is too short to measure the forecasts of this model on days that it had not learnt from. Nobody knows yet whether they are better than the average frequencies of the market.',
);

/** A display warning for forecasts that were not measured or are no better than climatology; undefined for better ones. */
export function cautionOf({
  brier_skill,
  candidates,
}: Pick<RecoveryQuality, 'brier_skill' | 'candidates'>): Localised | undefined {
  if (candidates === 0) return NOT_MEASURED;
  if (brier_skill !== undefined && brier_skill > 0) return undefined;
  return NO_BETTER_THAN_AVERAGE;
}

/** The notice shown with every forecast. */
export function forecastNotice(
  quality: Pick<RecoveryQuality, 'brier_skill' | 'candidates'>,
  horizonDays: number,
  missing?: Localised,
): Localised {
  const number = new Localised(
    `Persentase pada posisi adalah perkiraan peluang harga dalam ${horizonDays} hari bursa.`,
    `The percentages of a position are forecast chances of its price within ${horizonDays} trading days.`,
  );
  const { brier_skill, candidates } = quality;
  const record = brier_skill === undefined ? undefined : forecastRecord(brier_skill, candidates);
  return notice(number, record, { caution: cautionOf(quality), missing });
}

function forecastRecord(brierSkill: number, candidates: number): Localised {
  const [skillPct, isBetter] = [Math.abs(100 * brierSkill), brierSkill > 0];
  return localised(
    ({ plain }) =>
      `Pada ${plain(candidates)} perkiraan hari-hari lampau, skor Brier-nya ${plain(skillPct)}% lebih ${isBetter ? 'baik' : 'buruk'} daripada frekuensi rata-rata pasar.`,
    ({ plain }) =>
      `Over ${plain(candidates)} forecasts of past days, their Brier score was ${plain(skillPct)}% ${isBetter ? 'better' : 'worse'} than that of average frequencies.`,
  );
}

/** Frequency of each bucket, in their order. */
export function baseRates(labels: Uint8Array): number[] {
  const counts = RETURN_BUCKETS.map(() => 0);
  for (const label of labels) counts[label]!++;
  return counts.map((count) => count / labels.length);
}
