import { rowHash, seedFor } from '../kernels/row-hash.ts';
import type { BoostingJob } from './job.ts';

/** Keeps the draws of features apart from those of rows. */
const FEATURES = -1;

/** 1 for each feature that a tree may use: those with the smallest hashes, as many as the share asks for. */
export function featuresOfTree(
  { binned: { features }, parameters }: Pick<BoostingJob, 'binned' | 'parameters'>,
  tree: number,
): Uint8Array {
  const count = Math.max(1, Math.round(parameters.featureShare * features));
  const used = new Uint8Array(features).fill(count === features ? 1 : 0);
  if (count === features) return used;
  const seed = seedFor(parameters.seed, FEATURES, tree);
  const byHash = Array.from(used.keys()).sort((a, b) => rowHash(a, seed) - rowHash(b, seed) || a - b);
  for (const feature of byHash.slice(0, count)) used[feature] = 1;
  return used;
}
