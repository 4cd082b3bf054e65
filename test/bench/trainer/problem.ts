import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import type { RowRange } from '#quant/panel/ranges.ts';

/** What both trainers learn, and the later rows that both are judged on. */
export interface Problem {
  /** For the report. */
  title: string;
  learnt: LabelledRows;
  heldOut: LabelledRows;
}

export interface LabelledRows {
  matrix: FeatureMatrix;
  /** 0 or 1. */
  labels: Uint8Array;
}

/** About what five years of the exchange's liquid names come to. */
const ROWS = 350_000;
const HELD_OUT_ROWS = 70_000;
const FEATURES = 30;
/** As weak a signal as that of prices: an AUC of about .64. */
const STRENGTH = 1;

export function generatedProblem(): Problem {
  const matrix = noiseMatrix(ROWS + HELD_OUT_ROWS, FEATURES, 1);
  const all = { matrix, labels: plantedLabels(matrix, STRENGTH, 2) };
  return {
    title: 'generated matrix',
    learnt: part(all, { from: 0, to: ROWS }),
    heldOut: part(all, { from: ROWS, to: matrix.rowCount }),
  };
}

function part({ matrix, labels }: LabelledRows, { from, to }: RowRange): LabelledRows {
  const rows = new FeatureMatrix(matrix.names, to - from);
  for (let feature = 0; feature < matrix.names.length; feature++)
    rows.column(feature).set(matrix.column(feature).subarray(from, to));
  return { matrix: rows, labels: labels.slice(from, to) };
}
