/**
 * The normal distribution.
 *
 * @module
 */

/** Probability that a standard normal variable is at most `x`. Absolute error below 1e-14. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return NaN;
  const z = Math.abs(x);
  // Beyond it, both terms round to 0.
  if (z > 38) return x > 0 ? 1 : 0;
  const upper = z < SERIES_UP_TO ? 0.5 - density(z) * seriesOf(z) : density(z) * continuedFraction(z);
  return x > 0 ? 1 - upper : upper;
}

const SERIES_UP_TO = 3;

function density(z: number): number {
  return Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
}

/** Φ(z) − ½ over the density: z + z³/3 + z⁵/15 + … (Abramowitz and Stegun 1964, 26.2.11). */
function seriesOf(z: number): number {
  let [term, sum] = [z, z];
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

/** The upper tail over the density: 1/(z + 1/(z + 2/(z + …))) (Abramowitz and Stegun 1964, 26.2.14). */
function continuedFraction(z: number): number {
  const DEPTH = 80;
  let fraction = z;
  for (let level = DEPTH; level > 0; level--) fraction = z + level / fraction;
  return 1 / fraction;
}

/**
 * The `x` of which {@link normalCdf} is `probability`, within 1e-12: the rational approximation of Acklam (2003), relative
 * error 1e-9, after one step of Halley's method.
 *
 * @returns -Infinity for 0 and Infinity for 1
 * @throws RangeError outside 0 to 1
 */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1))
    throw new RangeError(`a probability lies between 0 and 1: ${probability}`);
  if (probability === 0) return -Infinity;
  if (probability === 1) return Infinity;
  const x = approximateQuantile(probability);
  const error = (normalCdf(x) - probability) / density(x);
  return x - error / (1 + (x * error) / 2);
}

const CENTRAL = {
  top: [
    -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
    2.506628277459239,
  ],
  bottom: [
    -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
    -1.328068155288572e1, 1,
  ],
};
const TAIL = {
  top: [
    -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  bottom: [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
};
const TAIL_BELOW = 0.02425;

function approximateQuantile(probability: number): number {
  if (probability > 1 - TAIL_BELOW) return -approximateQuantile(1 - probability);
  if (probability < TAIL_BELOW) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return polynomial(TAIL.top, q) / polynomial(TAIL.bottom, q);
  }
  const q = probability - 0.5;
  return (q * polynomial(CENTRAL.top, q * q)) / polynomial(CENTRAL.bottom, q * q);
}

/** Coefficients of the highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
