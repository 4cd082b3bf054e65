import type { KernelShape, MemoryViews } from '../kernels/kernel-memory.ts';
import type { Kernels } from '../kernels/kernels.ts';

/**
 * One of those who work on a task together over one memory. All of them run the same code, each on its own share, and
 * meet at barriers: what one wrote before a barrier is seen by all after it.
 */
export interface Member {
  /** Member 0 leads the task. */
  readonly index: number;
  /** How many members there are. */
  readonly count: number;
  /** @throws when another member has failed or does not come */
  readonly barrier: { wait(): void };
  /** Whether a member has asked everyone to give up; read it right after a barrier. */
  readonly cancelled: boolean;
  /** Asks everyone to give up. They all see it behind the next barrier, and therefore at the same place. */
  cancel(): void;
  /** The memory as it is now: views from before it grew end early. */
  views(): MemoryViews;
  kernels(shape: KernelShape): Kernels;
  /** The same member for what it does without the others: nobody to wait for, and all of the work is its share. */
  alone(): Member;
  /** This member's part of `total` things, as even as can be; member 0 has one whenever anyone has. */
  share(total: number): { from: number; to: number };
}
