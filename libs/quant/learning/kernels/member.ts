import type { KernelShape, MemoryViews } from './kernel-memory.ts';
import type { Kernels } from './kernels.ts';

/**
 * One of the threads that work on a task together over one memory. All run the same code, each on its own share, and meet at
 * barriers: after a barrier, all members see what any of them wrote before it.
 */
export interface Member {
  /** Member 0 leads the task. */
  readonly index: number;
  /** How many members there are. */
  readonly count: number;
  /** @throws when another member has failed or does not arrive */
  readonly barrier: { wait(): void };
  /** Whether a member has asked all members to stop. Read it immediately after a barrier. */
  readonly cancelled: boolean;
  /** Asks all members to stop. They all see it after the next barrier, and therefore at the same place. */
  cancel(): void;
  /** The next number of a task, from 0 on, that no member has taken. */
  take(): number;
  /** How many rounds the trainings of a task keep, which one of them decides. */
  readonly rounds: SharedDecision;
  /** Views of the current memory. Views from before the memory grew are too short. */
  views(): MemoryViews;
  kernels(shape: KernelShape): Kernels;
  /** This member without the others: its barriers do not wait, and its share is all of the work. */
  alone(): Member;
  /** This member's part of `total` items, divided as evenly as possible. Member 0 has an item whenever any member has one. */
  share(total: number): { from: number; to: number };
}

/** A number that one member decides for all. */
export interface SharedDecision {
  decide(value: number): void;
  /** Undefined until it is decided. */
  readonly known: number | undefined;
  /** Blocks until it is decided. @throws when another member does not decide it */
  wait(): number;
}
