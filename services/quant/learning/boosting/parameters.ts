import { MOST_LEAVES } from '../kernels/tree-program.ts';

/** How trees are grown. Names and meanings are those of XGBoost, whose regularised objective this is. */
export interface BoostingParameters {
  /** Trees of each class at most, 1 to 10,000. */
  rounds: number;
  /** What share of its step each tree takes (eta), above 0 to 1. */
  learningRate: number;
  /** Levels of branches in a tree, 1 to 8. */
  depth: number;
  /** L2 penalty on leaf values, in units of summed hessian, from 0. */
  lambda: number;
  /** Gain a split must exceed, from 0. */
  gamma: number;
  /** Least summed hessian of a child, from 0. */
  minChildWeight: number;
  /** Share of rows that each round's trees learn from, above 0 to 1. */
  subsample: number;
  /** Share of features each tree may use, above 0 to 1; at least one. It costs no less time than all. */
  featureShare: number;
  /** Rounds without a lower loss on the validation rows after which training ends; null trains all rounds. */
  patience: number | null;
  /** Of the rows' and features' samples: a 32-bit integer. */
  seed: number;
}

export const DEFAULT_PARAMETERS: Readonly<BoostingParameters> = {
  rounds: 100,
  learningRate: 0.1,
  depth: 6,
  lambda: 1,
  gamma: 0,
  minChildWeight: 1,
  subsample: 1,
  featureShare: 1,
  patience: null,
  seed: 1,
};

/** @throws RangeError naming the first parameter out of its range. */
export function requireParameters(parameters: BoostingParameters): void {
  const {
    rounds,
    learningRate,
    depth,
    lambda,
    gamma,
    minChildWeight,
    subsample,
    featureShare,
    patience,
    seed,
  } = parameters;
  require('rounds', Number.isInteger(rounds) && rounds >= 1 && rounds <= 10_000, rounds);
  require('learningRate', learningRate > 0 && learningRate <= 1, learningRate);
  require('depth', Number.isInteger(depth) && depth >= 1 && 2 ** depth <= MOST_LEAVES, depth);
  require('lambda', lambda >= 0 && Number.isFinite(lambda), lambda);
  require('gamma', gamma >= 0 && Number.isFinite(gamma), gamma);
  require('minChildWeight', minChildWeight >= 0 && Number.isFinite(minChildWeight), minChildWeight);
  require('subsample', subsample > 0 && subsample <= 1, subsample);
  require('featureShare', featureShare > 0 && featureShare <= 1, featureShare);
  require('patience', patience === null || (Number.isInteger(patience) && patience >= 1), patience);
  require('seed', (seed | 0) === seed, seed);
}

function require(name: string, valid: boolean, value: unknown): void {
  if (!valid) throw new RangeError(`${name} must lie in its documented range, got ${String(value)}`);
}
