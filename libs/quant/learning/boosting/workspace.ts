import { type BinnedLayout, binnedLayout } from '../binning/binned-layout.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { KernelShape, MemoryViews } from '../kernels/kernel-memory.ts';
import type { Member } from '../kernels/member.ts';
import {
  boostingLayout,
  blocksOf,
  usedFeatures,
  type BoostingJob,
  type BoostingLayout,
  type RowBlock,
} from './job.ts';
import type { SplitRules } from './split-search.ts';

/** Data that a member uses throughout a training. */
export interface Workspace {
  member: Member;
  job: BoostingJob;
  binned: BinnedLayout;
  layout: BoostingLayout;
  shape: KernelShape;
  kernels: Kernels;
  views: MemoryViews;
  /** This member's rows. */
  trainingBlocks: RowBlock[];
  validationBlocks: RowBlock[];
  rules: SplitRules;
}

export function workspaceOf(member: Member, job: BoostingJob): Workspace {
  const binned = binnedLayout(job.binned);
  const layout = boostingLayout(job, member.count);
  const { features, bins } = job.binned;
  const { lambda, minChildWeight } = job.parameters;
  const shape = {
    features,
    usedFeatures: usedFeatures(job),
    bins,
    classes: job.scores,
  };
  return {
    member,
    job,
    binned,
    layout,
    shape,
    kernels: member.kernels(shape),
    views: member.views(),
    trainingBlocks: blocksOf(member, layout.training.rowCount),
    validationBlocks: blocksOf(member, layout.validation.rowCount),
    rules: {
      lambda: lambda * job.scale,
      minChildHessian: Math.max(1, minChildWeight * job.scale),
    },
  };
}
