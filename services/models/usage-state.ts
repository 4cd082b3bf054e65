import type { FinalState } from './run-states.ts';

/** The states of a usage event: a run is `started` for the ledger from its acceptance on. */
export type UsageState = 'started' | FinalState;
