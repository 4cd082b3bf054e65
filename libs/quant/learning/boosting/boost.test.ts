import { expect, test } from 'vitest';
import { featuresOfTree } from './boost.ts';
import { DEFAULT_PARAMETERS } from './trainer.ts';

const used = (featureShare: number, tree: number) => [
  ...featuresOfTree(
    { binned: { rowCount: 0, features: 10, bins: 2 }, parameters: { ...DEFAULT_PARAMETERS, featureShare } },
    tree,
  ),
];

test('a tree uses the requested share of features, and at least one', () => {
  for (const [share, count] of [
    [1, 10],
    [0.5, 5],
    [0.01, 1],
  ] as const)
    expect(new Set(used(share, 3)).size).toBe(count);
});

test('over many trees, every feature is used equally often', () => {
  const trees = Array.from({ length: 2_000 }, (_, tree) => used(0.3, tree));
  for (let feature = 0; feature < 10; feature++) {
    const share = trees.filter((features) => features.includes(feature)).length / trees.length;
    expect(Math.abs(share - 0.3)).toBeLessThan(0.04);
  }
});
