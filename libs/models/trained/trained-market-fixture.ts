import type { FeatureTable } from '#quant/features/feature-table.ts';
import { LOGISTIC } from '#quant/learning/calibration/calibration.ts';
import type { TreeEnsemble } from '#quant/learning/tree-ensemble.ts';
import { modelQuality } from '#quant/learning/validation/model-quality.ts';
import { featureMatrix } from './training.ts';
import {
  bestOfEachDay,
  type TrainedMarket,
  type PastForecast,
  type ScoredStock,
  stocksAt,
} from './trained-market.ts';

const BASE_RATE = 0.5;

/** A probability in percent, 30 to 95, that varies by code and day. */
export function anyProbability(code: string, day: number): number {
  let hash = day * 2_654_435_761;
  for (const letter of code) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return 30 + (hash % 651) / 10;
}

/** A model without splits. */
function oneLeaf(featureNames: readonly string[]): TreeEnsemble {
  return {
    featureNames,
    scores: 1,
    baseScores: Float32Array.of(0),
    treeStarts: Uint32Array.of(0, 1),
    feature: Int32Array.of(-1),
    cut: Float32Array.of(0),
    left: Int32Array.of(-1),
    value: Float32Array.of(0),
    gain: Float32Array.of(0),
    cover: Float32Array.of(1),
  };
}

/** A name with exactly this probability, in percent. Its chance is the probability divided by 100. */
function likelyStock(table: FeatureTable, row: number, probability: number): ScoredStock {
  return { ...stocksAt(table, BASE_RATE)(row, probability / 100), probability };
}

/** A forecast of a row of the feature table with the given outcome. */
export function pastForecastOf(
  table: FeatureTable,
  row: number,
  probabilityPct: number,
  netReturn: number,
): PastForecast {
  const stock = likelyStock(table, row, probabilityPct);
  return { ...stock, day: table.dayOf(row), filled: true, netReturn, won: netReturn > 0 };
}

/** A market in which each name of the day has the probability, in percent, given for its code. */
export function trainedMarketOf(
  table: FeatureTable,
  day: number,
  probabilityPctOf: (code: string) => number,
  past: readonly PastForecast[] = [],
  extraNames: readonly string[] = [],
): TrainedMarket {
  const { from, to } = table.rowsOf(day);
  const { tickers, dates } = table.panel.columns;
  const stocks = Array.from({ length: to - from }, (_, i) => {
    const code = tickers[table.columns.ticker[from + i]!]!;
    return likelyStock(table, from + i, probabilityPctOf(code));
  });
  return {
    day,
    asOf: dates[day]!,
    stocks,
    featuresOf: (rows) => featureMatrix(table, rows, { names: extraNames, read: () => {} }),
    past,
    kept: { stocks: {}, past: {}, facts: {} },
    baseRate: BASE_RATE,
    model: { onnx: Uint8Array.of(1, 2, 3), fingerprint: '0f'.repeat(32) },
    trained: { ensemble: oneLeaf([...table.names, ...extraNames]), calibration: LOGISTIC },
    description: { fingerprint: '0f'.repeat(32) },
    quality: (picksOf) => modelQuality(bestOfEachDay(past, picksOf)),
  };
}
