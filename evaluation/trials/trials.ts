import { logistic } from '#quant/learning/calibration/calibration.ts';
import { fitPlatt } from '#quant/learning/calibration/platt.ts';
import { logOddsOf, shareOf, type TrialDay } from './trial-day.ts';

/** A calibration of a day: how the log-odds in use become its own, and the base rate that it shows beside the chances. */
interface Recalibration {
  logOddsOf: (inUse: number) => number;
  baseRate: number;
}

export interface Trial {
  name: string;
  /** @param meanOfSpan share of liquid stocks that won in 2022 and 2023, which no calibration could know */
  of: (day: TrialDay, meanOfSpan: number) => Recalibration;
}

export const TRIALS: readonly Trial[] = [
  { name: 'in use', of: (day) => shiftedBy(0, baseRate(day)) },
  ...[25, 50, 100].map((days) => ({
    name: `prior shift, newest ${days} days`,
    of: (day: TrialDay) => onNewest(day, days),
  })),
  { name: 'priors of the day by EM', of: saerens },
  ...[25, 50, 100].map((halfLife) => ({
    name: `sigmoid, half-life ${halfLife} days`,
    of: (day: TrialDay) => sigmoid(day, recent(day, halfLife)),
  })),
  { name: 'sigmoid, equal weights', of: (day) => sigmoid(day, filled(day)) },
  { name: 'by regime', of: (day) => byRegime(day, REGIME_PRIOR_DAYS) },
  { name: 'by regime, without a prior', of: (day) => byRegime(day, 0) },
  { name: 'mean of the day = base rate', of: (day) => meanOfDay(day, baseRate(day)) },
  { name: 'mean of the day = rate of the window', of: (day) => meanOfDay(day, day.windowRate) },
  ...[25, 50].map((days) => ({
    name: `mean of the day = newest ${days} days`,
    of: (day: TrialDay) => meanOfDay(day, baseRate(day, newest(day, days))),
  })),
  { name: 'hindsight: mean of 2022 and 2023', of: meanOfDay },
];

/** Trading days of a regime's own that weigh as much as all others. */
const REGIME_PRIOR_DAYS = 50;
/** As for the calibration in use on all five folds. */
const TRUST = 3 / 5;

function baseRate({ past }: TrialDay, weights: Float64Array = past.weights): number {
  return shareOf(past.labels, weights);
}

function shiftedBy(shift: number, rate: number): Recalibration {
  return { logOddsOf: (inUse) => inUse + shift, baseRate: rate };
}

/** Weights of the rows of the newest trading days; 0 for the others. */
function newest({ past: { weights, age } }: TrialDay, days: number): Float64Array {
  return weights.map((weight, row) => (age[row]! < days ? weight : 0));
}

function recent({ past: { weights, age } }: TrialDay, halfLifeDays: number): Float64Array {
  return weights.map((weight, row) => weight * 0.5 ** (age[row]! / halfLifeDays));
}

function filled({ past }: TrialDay): Float64Array {
  return past.weights.map((weight) => (weight > 0 ? 1 : 0));
}

function onNewest(day: TrialDay, days: number): Recalibration {
  const weights = newest(day, days);
  const rate = baseRate(day, weights);
  return shiftedBy(shiftTo(rate, day.past.logOdds, weights), rate);
}

/** All liquid stocks of the analysed day have this chance on average. */
function meanOfDay({ stocks }: TrialDay, rate: number): Recalibration {
  const logOdds = Float32Array.from(stocks, (stock) => stock.logOdds);
  return shiftedBy(
    shiftTo(
      rate,
      logOdds,
      Float64Array.from(stocks, ({ isLiquid }) => (isLiquid ? 1 : 0)),
    ),
    rate,
  );
}

function sigmoid({ past }: TrialDay, weights: Float64Array): Recalibration {
  const fitted = fitPlatt(past.logOdds, past.labels, weights, TRUST);
  if (fitted.kind !== 'platt') throw new Error('fitPlatt fits a sigmoid');
  const { slope, intercept } = fitted;
  return { logOddsOf: (inUse) => slope * inUse + intercept, baseRate: shareOf(past.labels, weights) };
}

/** The shift of days of the same regime, less the fewer there are. */
function byRegime(day: TrialDay, priorDays: number): Recalibration {
  const { weights, hasRegimeOfDay, age, logOdds } = day.past;
  const own = weights.map((weight, row) => weight * hasRegimeOfDay[row]!);
  // Every second day is among the rows.
  const days = 2 * new Set(age.filter((_, row) => own[row]! > 0)).size;
  if (days === 0) return shiftedBy(0, baseRate(day));
  const share = days / (days + priorDays);
  const rate = baseRate(day, own);
  return shiftedBy(share * shiftTo(rate, logOdds, own), share * rate + (1 - share) * baseRate(day));
}

const EM_STEPS = 1_000;
const EM_PRECISION = 1e-6;

/**
 * The base rate under which the scores of the day are likeliest, found without any outcome of the day (Saerens, Latinne & Decaestecker,
 * "Adjusting the outputs of a classifier to new a priori probabilities", Neural Computation 14, 2002).
 */
function saerens(day: TrialDay): Recalibration {
  const known = logOddsOf(baseRate(day));
  const liquid = day.stocks.filter(({ isLiquid }) => isLiquid);
  let rate = baseRate(day);
  for (let step = 0; step < EM_STEPS; step++) {
    const shift = logOddsOf(rate) - known;
    const next = liquid.reduce((sum, { logOdds }) => sum + logistic(logOdds + shift), 0) / liquid.length;
    const isFound = Math.abs(next - rate) < EM_PRECISION;
    rate = next;
    if (isFound) break;
  }
  const inside = Math.min(0.99, Math.max(0.01, rate));
  return shiftedBy(logOddsOf(inside) - known, inside);
}

const MAX_SHIFT = 6;
const HALVINGS = 45;

/** The shift of log-odds after which the weighted mean chance is `rate`. */
function shiftTo(rate: number, logOdds: Float32Array, weights: Float64Array): number {
  let [low, high] = [-MAX_SHIFT, MAX_SHIFT];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < HALVINGS; i++) {
    const shift = (low + high) / 2;
    let sum = 0;
    for (let row = 0; row < logOdds.length; row++)
      if (weights[row]! > 0) sum += weights[row]! * logistic(logOdds[row]! + shift);
    if (sum / total < rate) low = shift;
    else high = shift;
  }
  return (low + high) / 2;
}
