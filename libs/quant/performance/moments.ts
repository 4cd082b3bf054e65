/** What a series of returns looks like. */
export interface Moments {
  observations: number;
  mean: number;
  /** Sample standard deviation: with one degree of freedom less than observations. */
  deviation: number;
  /** Third standardised moment of the population: 0 for a normal distribution. */
  skewness: number;
  /** Fourth standardised moment of the population: 3 for a normal distribution. */
  kurtosis: number;
}

/** Moments of a series; NaN where it is too short, and for skewness and kurtosis where it never varies. */
export function momentsOf(series: ArrayLike<number>): Moments {
  const observations = series.length;
  let sum = 0;
  for (let i = 0; i < observations; i++) sum += series[i]!;
  const mean = sum / observations;
  let [second, third, fourth] = [0, 0, 0];
  for (let i = 0; i < observations; i++) {
    const from = series[i]! - mean;
    second += from ** 2;
    third += from ** 3;
    fourth += from ** 4;
  }
  const variance = second / observations;
  return {
    observations,
    mean,
    deviation: observations > 1 ? Math.sqrt(second / (observations - 1)) : NaN,
    skewness: third / observations / variance ** 1.5,
    kurtosis: fourth / observations / variance ** 2,
  };
}
