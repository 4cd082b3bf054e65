import { isReference } from '#quant/features/feature-table.ts';
import { calibrated } from '#quant/learning/calibration/calibration.ts';
import type { Regime } from '#quant/regime/regime.ts';
import { isAboveFloors } from '#quant/universe/liquidity.ts';
import type { LearntMarket, ScoredPast } from '#models/learnt/learnt-market.ts';
import { dayOutcomes, type DealtName } from '../day-outcomes.ts';
import type { PickModel } from '../models-under-evaluation.ts';
import type { OpenMarket } from '#services/model-worker/market/shared-market.ts';

/** A stock of the analysed day with its outcome, which only the judge may read. */
interface TrialStock {
  /** Of the chance in use. */
  logOdds: number;
  isLiquid: boolean;
  isAboveFloors: boolean;
  outcome: DealtName;
}

/** What a trial may know of a run as of a past day. */
export interface TrialDay {
  date: string;
  regime: Regime;
  stocks: readonly TrialStock[];
  /** Rows that the models of the folds had not seen, whose outcomes were known on the day; one entry per row. */
  past: {
    /** Of the chance that the calibration in use gives. */
    logOdds: Float32Array;
    labels: Uint8Array;
    weights: Float64Array;
    /** Trading days before the newest of these rows. */
    age: Uint16Array;
    hasRegimeOfDay: Uint8Array;
  };
  /** Weighted share of wins among all rows that the model learnt from. */
  windowRate: number;
}

export function trialDay(
  market: OpenMarket,
  { floors, barriers }: PickModel,
  { day, asOf, stocks, learnt }: LearntMarket,
  { folds, days, outcomes, weights }: ScoredPast,
): TrialDay {
  const outcomeOf = new Map(dayOutcomes(market.features(), day, barriers).map((name) => [name.code, name]));
  const { regime } = market.regime();
  const base = learnt.ensemble.baseScores[0]!;
  const rows = folds.flatMap((fold) =>
    Array.from(
      calibrated(
        learnt.calibration,
        fold.scores.map((score) => score + base),
        1,
      ),
      (chance, i) => ({
        logOdds: logOddsOf(chance),
        label: fold.labels[i]!,
        weight: fold.weights[i]!,
        day: days[fold.validation.from + i]!,
      }),
    ),
  );
  const newest = rows.at(-1)!.day;
  return {
    date: asOf,
    regime: regime[day]!,
    stocks: stocks.flatMap(({ code, chance, close, averageValue }) => {
      const outcome = outcomeOf.get(code);
      if (!outcome) return [];
      const isLiquid = isReference(close, averageValue);
      return [
        { logOdds: logOddsOf(chance), isLiquid, isAboveFloors: isAboveFloors(outcome, floors), outcome },
      ];
    }),
    past: {
      logOdds: Float32Array.from(rows, ({ logOdds }) => logOdds),
      labels: Uint8Array.from(rows, ({ label }) => label),
      weights: Float64Array.from(rows, ({ weight }) => weight),
      age: Uint16Array.from(rows, (row) => newest - row.day),
      hasRegimeOfDay: Uint8Array.from(rows, (row) => (regime[row.day] === regime[day] ? 1 : 0)),
    },
    windowRate: shareOf(outcomes.won, weights),
  };
}

/** Keeps the log-odds of isotonic chances of 0 and 1 finite. */
const MIN_CHANCE = 1e-6;

export function logOddsOf(chance: number): number {
  const inside = Math.min(1 - MIN_CHANCE, Math.max(MIN_CHANCE, chance));
  return Math.log(inside / (1 - inside));
}

/** Weighted share of label 1. */
export function shareOf(labels: ArrayLike<number>, weights: ArrayLike<number>): number {
  let [ones, total] = [0, 0];
  for (let row = 0; row < labels.length; row++) {
    ones += weights[row]! * labels[row]!;
    total += weights[row]!;
  }
  return ones / total;
}
