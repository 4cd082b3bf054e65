import { binRows, type BinningJob } from '../binning/bin-rows.ts';
import { boost } from '../boosting/boost.ts';
import type { BoostingJob } from '../boosting/job.ts';
import type { Member } from './member.ts';

/** A task as it is sent to the other threads. */
export type Task = { kind: 'bin'; job: BinningJob } | { kind: 'boost'; job: BoostingJob };

/** A member's share of a task. */
export function work(member: Member, task: Task): void {
  if (task.kind === 'bin') binRows(member, task.job);
  else boost(member, task.job);
}
