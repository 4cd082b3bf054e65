import type { FeatureMatrix } from '../feature-matrix.ts';
import { treeCount, type TreeEnsemble } from '../tree-ensemble.ts';

/** Contribution of each feature to one raw score of a row. With `base` they sum to the score, up to the rounding of doubles. */
interface Contributions {
  /** The score when no feature is known: the mean over the training rows, according to the covers of the trees. */
  base: number;
  /** One for each feature, in the ensemble's order. */
  ofFeature: Float64Array;
}

/** The raw score as the sum of its contributions. */
export function sumOf({ base, ofFeature }: Contributions): number {
  return ofFeature.reduce((sum, contribution) => sum + contribution, base);
}

/**
 * Path-dependent TreeSHAP: Shapley values of a row's features, where unknown features are averaged over the training rows by
 * the covers of the nodes (Lundberg et al. 2020, "From local explanations to global understanding with explainable AI for
 * trees", algorithm 2). All sums are in doubles.
 *
 * The algorithm walks each tree both ways at every branch. Its result at a leaf depends on the row only through which
 * features on the path send the row towards the leaf. The paths are therefore laid out once, and each row visits only the
 * leaves.
 */
export class TreeContributions {
  readonly #ensemble: TreeEnsemble;
  readonly #leaves: Leaves;
  readonly #bases: Float64Array;
  /** For the current leaf: 1 for each feature that sends the row towards it, and the weights of subsets by size. */
  readonly #one: Uint8Array;
  readonly #weight: Float64Array;
  /** 1 / n, precomputed because divisions take most of the time here. */
  readonly #inverse: Float64Array;

  constructor(ensemble: TreeEnsemble) {
    this.#ensemble = ensemble;
    this.#leaves = leavesOf(ensemble);
    this.#bases = basesOf(ensemble, this.#leaves);
    this.#one = new Uint8Array(this.#leaves.longest);
    this.#weight = new Float64Array(this.#leaves.longest + 1);
    this.#inverse = Float64Array.from({ length: this.#leaves.longest + 2 }, (_, n) => 1 / n);
  }

  /**
   * Contributions for each score of the ensemble.
   * @throws UnusableFeature when a value of this row is not finite
   */
  of(matrix: FeatureMatrix, row: number): Contributions[] {
    const { featureNames, scores } = this.#ensemble;
    if (matrix.names.join() !== featureNames.join())
      throw new RangeError('the matrix has other features than the model');
    matrix.requireFinite({ from: row, to: row + 1 });
    const all = Array.from({ length: scores }, (_, score) => ({
      base: this.#bases[score]!,
      ofFeature: new Float64Array(featureNames.length),
    }));
    const { start, score } = this.#leaves;
    for (let leaf = 0; leaf < score.length; leaf++) {
      const [from, to] = [start[leaf]!, start[leaf + 1]!];
      if (from === to) continue;
      this.#meet(matrix, row, from, to);
      this.#share(leaf, from, to, all[score[leaf]!]!.ofFeature);
    }
    return all;
  }

  /** Finds which features send the row towards the leaf, and the weights of subsets: EXTEND for each feature in turn. */
  #meet({ values, rowCount }: FeatureMatrix, row: number, from: number, to: number): void {
    const { feature, above, atMost, zero } = this.#leaves;
    const [one, weight, inverse] = [this.#one, this.#weight, this.#inverse];
    weight[0] = 1;
    for (let at = from; at < to; at++) {
      const value = values[feature[at]! * rowCount + row]!;
      const holds = value > above[at]! && value <= atMost[at]!;
      const length = at - from + 1;
      const share = inverse[length + 1]!;
      const unknown = zero[at]! * share;
      one[length - 1] = holds ? 1 : 0;
      weight[length] = holds ? weight[length - 1]! * length * share : 0;
      for (let i = length - 1; i > 0; i--) {
        const before = holds ? weight[i - 1]! * i * share : 0;
        weight[i] = weight[i]! * unknown * (length - i) + before;
      }
      weight[0] *= unknown * length;
    }
  }

  /** Adds each feature's part of the leaf's value: the sum of the weights that UNWIND of that feature would leave. */
  #share(leaf: number, from: number, to: number, ofFeature: Float64Array): void {
    const { feature, zero, value } = this.#leaves;
    const [one, weight, inverse] = [this.#one, this.#weight, this.#inverse];
    const depth = to - from;
    const scale = value[leaf]! * (depth + 1);
    let missed = 0;
    for (let j = 0; j < depth; j++) missed += weight[j]! * inverse[depth - j]!;
    for (let at = from; at < to; at++) {
      if (one[at - from] === 0) {
        ofFeature[feature[at]!]! -= missed * scale;
        continue;
      }
      const unknown = zero[at]!;
      let [next, total] = [weight[depth]!, 0];
      for (let j = depth - 1; j >= 0; j--) {
        const part = next * inverse[j + 1]!;
        total += part;
        next = weight[j]! - part * unknown * (depth - j);
      }
      ofFeature[feature[at]!]! += total * (1 - unknown) * scale;
    }
  }
}

/**
 * Leaves with the paths to them. A path has one entry for each feature that its branches test. However often a feature is
 * tested, the row stays on the path when its value is in one interval, (`above`, `atMost`]. `start` has one extra entry for
 * the end.
 */
interface Leaves {
  value: Float64Array;
  /** The score that the leaf's tree adds to. */
  score: Uint16Array;
  start: Uint32Array;
  feature: Uint16Array;
  above: Float32Array;
  atMost: Float32Array;
  /** Share of the training rows that stay on the path at the branches that test the feature. */
  zero: Float64Array;
  /** Maximum number of features on a path. */
  longest: number;
}

function leavesOf(ensemble: TreeEnsemble): Leaves {
  const { treeStarts, feature, cut, left, value, cover, scores } = ensemble;
  const leafCount = feature.reduce((count, requested) => count + (requested === -1 ? 1 : 0), 0);
  const levels = levelsOf(ensemble);
  const leaves: Leaves = {
    value: new Float64Array(leafCount),
    score: new Uint16Array(leafCount),
    start: new Uint32Array(leafCount + 1),
    feature: new Uint16Array(leafCount * levels),
    above: new Float32Array(leafCount * levels),
    atMost: new Float32Array(leafCount * levels),
    zero: new Float64Array(leafCount * levels),
    longest: levels,
  };
  const way = new Way(levels);
  let [leaf, end] = [0, 0];
  const visit = (root: number, node: number, score: number) => {
    const at = root + node;
    const requested = feature[at]!;
    if (requested === -1) {
      leaves.value[leaf] = value[at]!;
      leaves.score[leaf] = score;
      for (let i = 0; i < way.length; i++, end++) {
        leaves.feature[end] = way.feature[i]!;
        leaves.above[end] = way.above[i]!;
        leaves.atMost[end] = way.atMost[i]!;
        leaves.zero[end] = way.zero[i]!;
      }
      leaves.start[++leaf] = end;
      return;
    }
    const child = root + left[at]!;
    // The children's sum, not the parent's cover: the shares then add up to 1 although covers are rounded to 32 bits.
    const both = cover[child]! + cover[child + 1]!;
    const i = way.indexOf(requested);
    const [length, above, atMost, zero] = [way.length, way.above[i]!, way.atMost[i]!, way.zero[i]!];
    way.length = Math.max(length, i + 1);
    way.set(i, above, Math.min(atMost, cut[at]!), (zero * cover[child]!) / both);
    visit(root, child - root, score);
    way.set(i, Math.max(above, cut[at]!), atMost, (zero * cover[child + 1]!) / both);
    visit(root, child + 1 - root, score);
    way.set(i, above, atMost, zero);
    way.length = length;
  };
  for (let tree = 0; tree < treeCount(ensemble); tree++) visit(treeStarts[tree]!, 0, tree % scores);
  return leaves;
}

/** The path to the current node. */
class Way {
  length = 0;
  readonly feature: Uint16Array;
  readonly above: Float32Array;
  readonly atMost: Float32Array;
  readonly zero: Float64Array;

  constructor(longest: number) {
    this.feature = new Uint16Array(longest);
    this.above = new Float32Array(longest);
    this.atMost = new Float32Array(longest);
    this.zero = new Float64Array(longest);
  }

  /** Index of a feature on the path. A feature not tested yet is added at the end, with an interval that every row passes. */
  indexOf(feature: number): number {
    for (let i = 0; i < this.length; i++) if (this.feature[i] === feature) return i;
    this.feature[this.length] = feature;
    this.set(this.length, -Infinity, Infinity, 1);
    return this.length;
  }

  set(i: number, above: number, atMost: number, zero: number): void {
    this.above[i] = above;
    this.atMost[i] = atMost;
    this.zero[i] = zero;
  }
}

/** Number of branches on the longest path from a root to a leaf. */
function levelsOf({ treeStarts, feature, left }: TreeEnsemble): number {
  const level = new Uint16Array(feature.length);
  let deepest = 0;
  for (let tree = 0; tree + 1 < treeStarts.length; tree++) {
    const root = treeStarts[tree]!;
    for (let node = root; node < treeStarts[tree + 1]!; node++) {
      deepest = Math.max(deepest, level[node]!);
      if (feature[node] === -1) continue;
      const child = root + left[node]!;
      level[child] = level[child + 1] = level[node]! + 1;
    }
  }
  return deepest;
}

/** The value of each score when no feature is known. */
function basesOf({ baseScores }: TreeEnsemble, { value, score, start, zero }: Leaves): Float64Array {
  const bases = Float64Array.from(baseScores);
  for (let leaf = 0; leaf < value.length; leaf++) {
    let reach = 1;
    for (let at = start[leaf]!; at < start[leaf + 1]!; at++) reach *= zero[at]!;
    bases[score[leaf]!]! += reach * value[leaf]!;
  }
  return bases;
}
