import type { ExaminedFleet } from '../fleet/examine.ts';

/** A problem: one sentence about what is wrong, and one about what to do. */
export interface Finding {
  what: string;
  fix: string;
}

/** The reason of a failure, without a full stop at the end. */
export function reasonOf({ message }: { message: string }): string {
  return message.replace(/[.\s]+$/, '') || 'no answer';
}

/** A check for one kind of problem. */
export interface Check {
  /** The subject of the check, for example `disk space`. */
  name: string;
  find: (fleet: ExaminedFleet) => Promise<Finding[]>;
}
