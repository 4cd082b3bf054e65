import { ascendingOrder } from '#quant/learning/ascending-order.ts';
import { estimate, type Estimate, type Resamples } from '#quant/statistics/block-bootstrap.ts';
import { isSold, ratio } from '#quant/statistics/pick-figures.ts';

/** A chance given in advance, with the return of the purchase. */
export interface RankedForecast {
  /** 0 to 1. */
  chance: number;
  /** After costs, as a fraction of the price paid; NaN if nobody could sell it. */
  netReturn: number;
}

/** Information coefficients of days (Grinold & Kahn, Active Portfolio Management, 2000, chapter 6), as rank correlations. */
export interface RankIc {
  /** Days with a coefficient. */
  days: number;
  /** -1 to 1; 0 if the chances carry no information. */
  mean: Estimate;
  /** Share of the days whose coefficient is above 0. */
  positive: number | null;
}

/** Mean rank correlation of chances and returns within each day. A day with fewer than three names that were sold has none. */
export function rankIc(days: readonly (readonly RankedForecast[])[], resamples: Resamples): RankIc {
  const coefficients = days.map((names) => rankCorrelation(names.filter(isSold)));
  const defined = coefficients.filter((one) => one !== undefined);
  const rows = coefficients.map((one) => (one === undefined ? undefined : Float64Array.of(one, 1)));
  return {
    days: defined.length,
    mean: estimate(rows, resamples, ([sum, count]) => ratio(sum!, count!)),
    positive: ratio(defined.filter((one) => one > 0).length, defined.length),
  };
}

/** Spearman's coefficient, with equal values at their mean rank; undefined if either side has no spread. */
function rankCorrelation(names: readonly RankedForecast[]): number | undefined {
  if (names.length < 3) return undefined;
  const chances = ranks(Float32Array.from(names, ({ chance }) => chance));
  const returns = ranks(Float32Array.from(names, ({ netReturn }) => netReturn));
  const middle = (names.length - 1) / 2;
  let [product, ofChances, ofReturns] = [0, 0, 0];
  for (let i = 0; i < names.length; i++) {
    const [a, b] = [chances[i]! - middle, returns[i]! - middle];
    product += a * b;
    ofChances += a * a;
    ofReturns += b * b;
  }
  return ofChances > 0 && ofReturns > 0 ? product / Math.sqrt(ofChances * ofReturns) : undefined;
}

function ranks(values: Float32Array): Float64Array {
  const order = ascendingOrder(values);
  const out = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let i = from; i < to; i++) out[order[i]!] = (from + to - 1) / 2;
    from = to;
  }
  return out;
}
