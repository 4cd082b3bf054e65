import { withFleet, type OperatorSession } from './operator-session.ts';
import { processesOf, type ProcessStatus } from './processes.ts';
import type { FleetState } from './state.ts';
import { withStoreReader, type StoreReader } from './stores.ts';

/** A fleet as `saring status` shows it and `saring doctor` judges it. */
export interface ExaminedFleet {
  state: FleetState;
  processes: ProcessStatus[];
  /** Undefined while the fleet does not run, because its stores do not run then either. */
  stores: StoreReader | undefined;
  /** The services of this fleet, even if the environment describes another one. Undefined like the stores. */
  services: OperatorSession | undefined;
}

/** Probes the processes, and keeps connections to stores and services until the work ends. */
export async function examineFleet<T>(
  state: FleetState,
  work: (fleet: ExaminedFleet) => Promise<T>,
): Promise<T> {
  const { running } = state;
  if (!running) return work({ state, processes: [], stores: undefined, services: undefined });
  const { addresses, operator_token: operatorToken, base_url: baseUrl } = running;
  const processes = await processesOf(state);
  return withStoreReader(running.stores, (stores) =>
    withFleet((services) => work({ state, processes, stores, services }), {
      addresses,
      operatorToken,
      baseUrl,
    }),
  );
}
