import type { ExaminedFleet } from '../fleet/examine.ts';
import type { StoreReader } from '../fleet/stores.ts';
import type { OperatorSession } from '../fleet/operator-session.ts';

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

/** Everything that a running fleet has. */
type RunningFleet = ExaminedFleet & { stores: StoreReader; services: OperatorSession };

/** A check that finds nothing while the fleet does not run, because its stores and services do not run then either. */
export function whileRunning(name: string, find: (fleet: RunningFleet) => Promise<Finding[]>): Check {
  return {
    name,
    find: async (fleet) => {
      const { stores, services } = fleet;
      return stores && services ? find({ ...fleet, stores, services }) : [];
    },
  };
}
