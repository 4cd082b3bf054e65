import type { TrainingSet } from '#screens/learnt/training.ts';

/** Only pairs with a name among so many of the best scored of their day count. */
const TOP = 20;

/**
 * LambdaRank gradients (Burges, From RankNet to LambdaRank to LambdaMART, 2010): of each pair of a winner and another name
 * of one day, how much exchanging them would change NDCG, times how wrong their order is. Above 0 for names that should
 * rise. Days weigh by the mean weight of their names, so that the pulls of a day add up to 0.
 */
export function lambdas({ days, outcomes, weights }: TrainingSet, scores: Float64Array): Float64Array {
  const out = new Float64Array(days.length);
  for (let from = 0; from < days.length;) {
    let [to, weight] = [from, 0];
    for (; to < days.length && days[to] === days[from]; to++) weight += weights[to]!;
    const filled = Uint32Array.from({ length: to - from }, (_, i) => from + i).filter((i) => weights[i]! > 0);
    ofDay(filled, outcomes.won, scores, weight / (to - from), out);
    from = to;
  }
  return out;
}

function ofDay(
  rows: Uint32Array,
  won: Uint8Array,
  scores: Float64Array,
  weight: number,
  out: Float64Array,
): void {
  const ranked = rows.toSorted((a, b) => scores[b]! - scores[a]! || a - b);
  const discount = Float64Array.from({ length: ranked.length }, (_, rank) => 1 / Math.log2(rank + 2));
  const winners = ranked.reduce((sum, row) => sum + won[row]!, 0);
  let ideal = 0;
  for (let i = 0; i < Math.min(winners, TOP); i++) ideal += discount[i]!;
  if (ideal === 0) return;
  for (let i = 0; i < Math.min(TOP, ranked.length); i++) {
    for (let j = i + 1; j < ranked.length; j++) {
      const [a, b] = [ranked[i]!, ranked[j]!];
      if (won[a] === won[b]) continue;
      const [winner, other] = won[a] === 1 ? [a, b] : [b, a];
      const gained = Math.abs(discount[i]! - (j < TOP ? discount[j]! : 0)) / ideal;
      const pull = (weight * gained) / (1 + Math.exp(scores[winner]! - scores[other]!));
      out[winner]! += pull;
      out[other]! -= pull;
    }
  }
}
