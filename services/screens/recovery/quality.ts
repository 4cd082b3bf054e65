import type { RecoveryQuality } from './result.ts';
import type { Learnt } from '#quant/learning/walk-forward/learn.ts';
import { brierScore, logLoss, type Forecasts } from '#quant/learning/validation/scoring.ts';
import { RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';
import { rounded } from '../display.ts';

const CLASSES = RETURN_BUCKETS.length;

/**
 * How good the forecasts were of days that their models had not seen, beside climatology: the same share of each bucket
 * for every name, as the days learnt from had it. Of the folds that chose nothing; `labels` of all rows learnt from. */
export function recoveryQuality({ folds }: Pick<Learnt, 'folds'>, labels: Uint8Array): RecoveryQuality {
  const judged = folds.filter(({ probabilities }) => probabilities !== null);
  const came = judged.flatMap((fold) => [...fold.labels]);
  const given = judged.flatMap(({ probabilities }) => [...probabilities!]);
  const usual = judged.flatMap(({ train, labels: { length } }) => {
    const rates = baseRates(labels.subarray(train.from, train.to));
    return Array.from({ length }, () => rates).flat();
  });
  const forecast: Forecasts = { probabilities: given, scores: CLASSES, labels: came };
  const climatology: Forecasts = { ...forecast, probabilities: usual };
  const [brier, usualBrier] = [brierScore(forecast), brierScore(climatology)];
  const measured = (value: number) => (came.length === 0 ? null : rounded(value, 4));
  return {
    log_loss: measured(logLoss(forecast)),
    climatology_log_loss: measured(logLoss(climatology)),
    brier_score: measured(brier),
    climatology_brier_score: measured(usualBrier),
    brier_skill: usualBrier === 0 ? null : measured(1 - brier / usualBrier),
    candidates: came.length,
  };
}

/** Of forecasts that are no better than climatology; no others deserve one. For display, in Bahasa Indonesia. */
export function cautionOf({ brier_skill }: Pick<RecoveryQuality, 'brier_skill'>): string | undefined {
  if (brier_skill !== null && brier_skill > 0) return undefined;
  return 'Pada hari-hari yang tidak ikut dipelajari, perkiraan model ini tidak lebih baik daripada frekuensi rata-rata pasar. Jangan mengandalkannya untuk tanggal ini.';
}

/** Share of each bucket, in their order. */
export function baseRates(labels: Uint8Array): number[] {
  const counts = RETURN_BUCKETS.map(() => 0);
  for (const label of labels) counts[label]!++;
  return counts.map((count) => count / labels.length);
}
