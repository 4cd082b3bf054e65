/**
 * Where to cut a feature into at most `bins` bins of about equally many values: bin b holds the values above cut
 * b - 1 and up to cut b, the last bin everything above the last cut. Cuts are values of the sample, ascending and
 * different, 0 never as -0; fewer of them when the sample holds fewer different values, none when it holds one.
 *
 * A value so frequent that it fills a bin gets one of its own, and the others share the rest (after `GreedyFindBin`
 * of LightGBM, Ke et al. 2017): equal ranks alone would spend several bins on the same value.
 *
 * @param sample finite
 * @param order its indices, ascending by value
 */
export function equalFrequencyCuts(sample: Float32Array, order: Uint32Array, bins: number): Float32Array {
  const { values, counts } = distinctRuns(sample, order);
  if (values.length <= bins) return values.slice(0, -1);
  const cuts: number[] = [];
  let [held, left] = [0, sample.length];
  for (let i = 0; i < values.length - 1; i++) {
    held += counts[i]!;
    left -= counts[i]!;
    const binsLeft = bins - cuts.length;
    if (binsLeft === 1) break;
    const share = (held + left) / binsLeft;
    if (held >= share || held + counts[i + 1]! > 1.5 * share) {
      cuts.push(values[i]!);
      held = 0;
    }
  }
  return Float32Array.from(cuts);
}

/** The different values, ascending, and how often each occurs. */
function distinctRuns(
  sample: Float32Array,
  order: Uint32Array,
): { values: Float32Array; counts: Uint32Array } {
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
