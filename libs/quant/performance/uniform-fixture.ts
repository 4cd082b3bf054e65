/** Largest distance of a sample from the uniform distribution between 0 and 1 (Kolmogorov and Smirnov). */
export function distanceFromUniform(sample: readonly number[]): number {
  const ascending = sample.toSorted((a, b) => a - b);
  return Math.max(
    ...ascending.map((value, i) => Math.max((i + 1) / sample.length - value, value - i / sample.length)),
  );
}

/** The distance that a uniform sample exceeds with a probability of 1 %. */
export function criticalDistance(size: number): number {
  return 1.63 / Math.sqrt(size);
}
