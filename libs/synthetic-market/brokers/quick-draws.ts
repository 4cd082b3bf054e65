import type { Random } from '#quant/random.ts';

/*
 * Generating broker rows takes dozens of draws, tens of millions of times. A draw here uses half of a 32-bit word to
 * select one of 4,096 equally likely values of the distribution. That is fine enough here and needs no logarithm.
 */
const BITS = 12;
const SIZE = 1 << BITS;
const MASK = SIZE - 1;
/** Shift to the highest bits of the word. The generator's low bits are just as good. */
const SECOND = 20;

/** Midpoints of 4,096 slices of equal probability, ascending. */
const NORMAL = Float64Array.from({ length: SIZE }, (_, i) => normalQuantile((i + 0.5) / SIZE));
const GUMBEL = Float64Array.from({ length: SIZE }, (_, i) => -Math.log(-Math.log((i + 0.5) / SIZE)));

/** Fills `into` with standard normal numbers, two for each word drawn. */
export function fillNormal(random: Random, into: Float64Array): void {
  for (let i = 0; i < into.length; i += 2) {
    const word = random.uint32();
    into[i] = NORMAL[word & MASK]!;
    if (i + 1 < into.length) into[i + 1] = NORMAL[word >>> SECOND]!;
  }
}

/**
 * Fills `into` with numbers of the standard Gumbel distribution. Adding them to the logarithms of weights and taking the
 * largest sums gives a sample without replacement by those weights (Gumbel-max; Efraimidis and Spirakis 2006).
 */
export function fillGumbel(random: Random, into: Float64Array): void {
  for (let i = 0; i < into.length; i += 2) {
    const word = random.uint32();
    into[i] = GUMBEL[word & MASK]!;
    if (i + 1 < into.length) into[i + 1] = GUMBEL[word >>> SECOND]!;
  }
}

/** Inverse of the standard normal distribution function, relative error under 1.2e-9 (Acklam's algorithm, 2003). */
export function normalQuantile(probability: number): number {
  const tail = Math.min(probability, 1 - probability);
  const magnitude = tail < 0.02425 ? tailQuantile(tail) : centralQuantile(tail);
  return probability < 0.5 ? magnitude : -magnitude;
}

function tailQuantile(p: number): number {
  const q = Math.sqrt(-2 * Math.log(p));
  const above =
    ((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
      q +
      4.374664141464968) *
      q +
    2.938163982698783;
  const below =
    (((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q +
    1;
  return above / below;
}

function centralQuantile(p: number): number {
  const q = p - 0.5;
  const r = q * q;
  const above =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239;
  const below =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return (above * q) / below;
}

/**
 * The k-th largest of the values, k from 1 to their number, by Hoare's selection. Reorders `values`, which must not contain
 * NaN. Takes linear time; sorting would take most of the time spent on a stock-day.
 */
export function kthLargest(values: Float64Array, k: number): number {
  let [left, right] = [0, values.length - 1];
  const wanted = k - 1;
  while (left < right) {
    const pivot = values[(left + right) >>> 1]!;
    let [i, j] = [left, right];
    while (i <= j) {
      while (values[i]! > pivot) i++;
      while (values[j]! < pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (wanted <= j) right = j;
    else if (wanted >= i) left = i;
    else break;
  }
  return values[wanted]!;
}
