/* Splits whole numbers so that the parts add up to the whole. Deterministic: the same input gives the same parts. */

/**
 * Splits `total` whole units in proportion to the positive `weights`, to within one unit, with at least one unit each if there
 * are enough. `offset` in [0, 1) decides which entries get the odd units. The parts add up to `total` unless no weight is
 * positive.
 */
export function shareOut(total: number, weights: Float64Array, offset: number, into: Float64Array): void {
  let [positive, sum] = [0, 0];
  for (const weight of weights) {
    if (weight <= 0) continue;
    positive++;
    sum += weight;
  }
  const least = total >= positive ? 1 : 0;
  const rest = total - positive * least;
  let [seen, cumulated, given] = [0, 0, 0];
  for (let i = 0; i < weights.length; i++) {
    into[i] = 0;
    if (weights[i]! <= 0) continue;
    cumulated += weights[i]!;
    const until = ++seen === positive ? rest : Math.min(rest, Math.floor((rest * cumulated) / sum + offset));
    into[i] = least + until - given;
    given = until;
  }
}

interface SideTurnover {
  /** Whole units of each broker; their sum is positive. */
  units: Float64Array;
  /** Target price of a unit, by broker. */
  prices: Float64Array;
  /** Lowest and highest price of the day. */
  low: number;
  high: number;
  /** Whole IDR. */
  value: number;
}

/**
 * Whole values of each broker's units that add up to `value` exactly, near the target prices and within low and high. If the
 * average price is itself outside low and high, every broker pays about the average.
 */
export function shareOutValue(side: SideTurnover, into: Float64Array): void {
  const { units, prices, low, high, value } = side;
  let [unitCount, largest, wanted, roomUp, roomDown] = [0, 0, 0, 0, 0];
  for (let i = 0; i < units.length; i++) unitCount += units[i]!;
  if (value < low * unitCount || value > high * unitCount) return shareOut(value, units, 0.5, into);
  for (let i = 0; i < units.length; i++) {
    if (units[i]! > units[largest]!) largest = i;
    const price = Math.min(high, Math.max(low, prices[i]!));
    wanted += units[i]! * price;
    roomUp += units[i]! * (high - price);
    roomDown += units[i]! * (price - low);
  }
  const gap = value - wanted;
  const up = gap > 0 && roomUp > 0 ? Math.min(1, gap / roomUp) : 0;
  const down = gap < 0 && roomDown > 0 ? Math.min(1, -gap / roomDown) : 0;
  let left = value;
  for (let i = 0; i < units.length; i++) {
    const price = Math.min(high, Math.max(low, prices[i]!));
    const moved = price + up * (high - price) - down * (price - low);
    into[i] = whole(units[i]! * moved, units[i]! * low, units[i]! * high);
    left -= into[i]!;
  }
  left = giveResidual(left, largest, units, low, high, into);
  for (let i = 0; left !== 0 && i < units.length; i++) {
    left = giveResidual(left, i, units, low, high, into);
  }
  into[largest]! += left;
}

/** The nearest whole number from `least` to `most`, or the largest up to `most` if there is none between. */
function whole(wanted: number, least: number, most: number): number {
  return Math.min(Math.floor(most), Math.max(Math.ceil(least), Math.round(wanted)));
}

/** Gives one broker as much of a rounding residual as its price limits allow, and returns the rest. */
function giveResidual(
  left: number,
  i: number,
  units: Float64Array,
  low: number,
  high: number,
  into: Float64Array,
): number {
  const [least, most] = [Math.ceil(units[i]! * low), Math.floor(units[i]! * high)];
  const given = Math.min(Math.max(into[i]! + left, least), most);
  if (most < least || units[i] === 0) return left;
  const taken = given - into[i]!;
  into[i] = given;
  return left - taken;
}
