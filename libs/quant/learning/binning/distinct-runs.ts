import { ascendingOrder } from '../ascending-order.ts';

/** The distinct values of a sample, ascending, and how often each occurs. 0 and -0 are one value, 0. */
export interface DistinctRuns {
  values: Float32Array;
  counts: Uint32Array;
}

const PLACE_BITS = 12;
const PLACES = 1 << PLACE_BITS;
const MOST_COUNTED = PLACES / 4;
/** 2^32 divided by the golden ratio: spreads all bits over the upper ones (Knuth, TAOCP 3, 6.4). */
const GOLDEN = 0x9e3779b1 | 0;

/**
 * Ranks and figures of the whole market have few distinct values. Counting those takes a tenth of the time of sorting the sample,
 * which samples of many distinct values need.
 *
 * @param sample finite values
 */
export function distinctRuns(sample: Float32Array): DistinctRuns {
  return countedRuns(sample) ?? sortedRuns(sample);
}

/** Undefined for too many distinct values. */
function countedRuns(sample: Float32Array): DistinctRuns | undefined {
  const keys = new Float32Array(PLACES);
  const counts = new Uint32Array(PLACES);
  const scratch = new Float32Array(1);
  const bits = new Int32Array(scratch.buffer);
  const places: number[] = [];
  for (let i = 0; i < sample.length; i++) {
    const value = sample[i]! + 0;
    scratch[0] = value;
    let place = Math.imul(bits[0]!, GOLDEN) >>> (32 - PLACE_BITS);
    while (counts[place] !== 0 && keys[place] !== value) place = (place + 1) % PLACES;
    if (counts[place]!++ > 0) continue;
    keys[place] = value;
    if (places.push(place) > MOST_COUNTED) return undefined;
  }
  places.sort((a, b) => keys[a]! - keys[b]!);
  return {
    values: Float32Array.from(places, (place) => keys[place]!),
    counts: Uint32Array.from(places, (place) => counts[place]!),
  };
}

function sortedRuns(sample: Float32Array): DistinctRuns {
  const order = ascendingOrder(sample);
  const values = new Float32Array(sample.length);
  const counts = new Uint32Array(sample.length);
  let last = -1;
  for (let i = 0; i < order.length; i++) {
    const value = sample[order[i]!]! + 0;
    if (last === -1 || value !== values[last]) values[++last] = value;
    counts[last]!++;
  }
  return { values: values.subarray(0, last + 1), counts: counts.subarray(0, last + 1) };
}
