import { rowHash, seedFor } from '../kernels/row-lists.ts';
import { FeatureMatrix } from '../feature-matrix.ts';

/** Seeded random numbers in (0, 1). */
export function uniforms(seed: number): () => number {
  const stream = seedFor(seed, 0);
  let drawn = 0;
  return () => (rowHash(drawn++, stream) + 0.5) / 2 ** 31;
}

/** Features of uniform noise in 0 … 1. */
export function noiseMatrix(rows: number, features: number, seed: number): FeatureMatrix {
  const matrix = new FeatureMatrix(
    Array.from({ length: features }, (_, f) => `f${f}`),
    rows,
  );
  const draw = uniforms(seed);
  for (let i = 0; i < matrix.values.length; i++) matrix.values[i] = draw();
  return matrix;
}

/**
 * Labels whose log-odds are `strength` times a step of f0, a slope of f1 and an interaction of f2 and f3; 0 gives
 * labels that are independent of every feature.
 */
export function plantedLabels(matrix: FeatureMatrix, strength: number, seed: number): Uint8Array {
  const draw = uniforms(seed);
  const [a, b, c, d] = [0, 1, 2, 3].map((feature) => matrix.column(feature));
  return Uint8Array.from({ length: matrix.rowCount }, (_, row) => {
    const interaction = c![row]! > 0.5 === d![row]! > 0.5 ? 0.5 : -0.5;
    const signal = (a![row]! > 0.7 ? 1 : 0) - 0.3 + (b![row]! - 0.5) + interaction;
    return draw() < 1 / (1 + Math.exp(1 - strength * signal)) ? 1 : 0;
  });
}
