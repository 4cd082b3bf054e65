import type { TreeEnsemble } from './tree-ensemble.ts';

/** What part of all gain the splits on a feature have brought. */
export interface FeatureImportance {
  feature: string;
  /** 0 to 1; all of a model add up to 1, unless it has no split. */
  share: number;
}

/** By total gain (Hastie, Tibshirani & Friedman, The Elements of Statistical Learning, 10.13.1), largest first. */
export function featureImportance({ featureNames, feature, gain }: TreeEnsemble): FeatureImportance[] {
  const gains = new Float64Array(featureNames.length);
  let total = 0;
  for (const [node, f] of feature.entries()) {
    if (f === -1) continue;
    gains[f]! += gain[node]!;
    total += gain[node]!;
  }
  return featureNames
    .map((name, f) => ({ feature: name, share: total === 0 ? 0 : gains[f]! / total }))
    .sort((a, b) => b.share - a.share);
}
