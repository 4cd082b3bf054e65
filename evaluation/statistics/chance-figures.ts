import {
  auc,
  calibrationError,
  reliabilityTable,
  type ReliabilityBin,
} from '#quant/learning/validation/scoring.ts';
import { ratio } from '#quant/statistics/pick-figures.ts';

/** A calibrated chance given in advance, with the outcome. */
export interface Forecast {
  /** 0 to 1. */
  chance: number;
  won: boolean;
}

export interface ChanceFigures {
  forecasts: number;
  /** Mean chance that was forecast, and the share of wins. */
  mean_chance: number | null;
  win_rate: number | null;
  /** Forecasts by intervals of 5 %, without empty ones. Weights are numbers of forecasts. */
  reliability: ReliabilityBin[];
  /** Expected calibration error over that table. */
  calibration_error: number | null;
  /** Over all pairs of forecasts, across weeks. */
  auc: number | null;
  /** Mean of the weekly values, weighted by forecasts: how well chances separate the names of one day. */
  auc_within_week: number | null;
}

const INTERVALS = 20;

/** Quality of chances for the names of any number of weeks. */
export function chanceFigures(weeks: readonly (readonly Forecast[])[]): ChanceFigures {
  const forecasts = weeks.flat();
  const chances = Float32Array.from(forecasts, ({ chance }) => chance);
  const labels = labelsOf(forecasts);
  const table = reliabilityTable(chances, labels, INTERVALS).filter(({ weight }) => weight > 0);
  return {
    forecasts: forecasts.length,
    mean_chance: ratio(
      chances.reduce((sum, chance) => sum + chance, 0),
      forecasts.length,
    ),
    win_rate: ratio(
      labels.reduce((sum, label) => sum + label, 0),
      forecasts.length,
    ),
    reliability: table,
    calibration_error: forecasts.length === 0 ? null : calibrationError(table),
    auc: aucOf(forecasts),
    auc_within_week: withinWeeks(weeks),
  };
}

function withinWeeks(weeks: readonly (readonly Forecast[])[]): number | null {
  let [sum, total] = [0, 0];
  for (const forecasts of weeks) {
    const area = aucOf(forecasts);
    if (area === null) continue;
    sum += area * forecasts.length;
    total += forecasts.length;
  }
  return ratio(sum, total);
}

/** Null if all outcomes are the same. */
function aucOf(forecasts: readonly Forecast[]): number | null {
  const area = auc(
    Float32Array.from(forecasts, ({ chance }) => chance),
    labelsOf(forecasts),
  );
  return Number.isNaN(area) ? null : area;
}

function labelsOf(forecasts: readonly Forecast[]): Uint8Array {
  return Uint8Array.from(forecasts, ({ won }) => (won ? 1 : 0));
}
