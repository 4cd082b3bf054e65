import type { ProcessStatus } from '../fleet/processes.ts';
import type { FleetState } from '../fleet/state.ts';
import type { StoreReader } from '../fleet/stores.ts';

/** Something that is wrong: one sentence of what, and one of what to do. */
export interface Finding {
  what: string;
  fix: string;
}

/** What the checks look at. */
export interface Patient {
  state: FleetState;
  processes: ProcessStatus[];
  /** Undefined while no fleet runs: its stores do not either. */
  stores: StoreReader | undefined;
  now: () => number;
}

/** Why something failed, to be followed by a full stop. */
export function reasonOf({ message }: { message: string }): string {
  return message.replace(/[.\s]+$/, '') || 'no answer';
}

/** One look at one thing that goes wrong. */
export interface Check {
  /** What is looked at, as in `disk space`. */
  name: string;
  look: (patient: Patient) => Promise<Finding[]>;
}
