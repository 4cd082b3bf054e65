export const RUN_STATES = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export type RunState = (typeof RUN_STATES)[number];
export type FinalState = Extract<RunState, 'succeeded' | 'failed' | 'interrupted'>;

/**
 * Where a run may go from each state. The end may be reported before the start, since the two travel separately;
 * whatever is reported after an end changes nothing.
 */
export const TRANSITIONS: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['running', 'succeeded', 'failed', 'interrupted'],
  running: ['succeeded', 'failed', 'interrupted'],
  succeeded: [],
  failed: [],
  interrupted: [],
};

/**
 * Where a cancellation takes a run at once. One that runs stays so, marked as cancelled, until its worker has seen that;
 * if it ends before, it keeps its end.
 */
export const ON_CANCEL: Readonly<Record<Exclude<RunState, FinalState>, RunState>> = {
  queued: 'failed',
  running: 'running',
};

/** Whether the run was cancelled while it waited: no worker ever began it, and nothing was analysed. */
export function endedUnbegun(run: {
  status: RunState;
  cancelled_at: Date | null;
  started_at: Date | null;
}): boolean {
  return isFinal(run.status) && run.cancelled_at !== null && run.started_at === null;
}

/** The end of a cancelled run that is reported as this: it must not run again because its worker was lost. */
export function endOfCancelled(reported: FinalState): FinalState {
  return reported === 'interrupted' ? 'failed' : reported;
}

/** The states from which a run may go to this one. */
export function statesBefore(next: RunState): RunState[] {
  return RUN_STATES.filter((state) => TRANSITIONS[state].includes(next));
}

export function isFinal(state: RunState): state is FinalState {
  return TRANSITIONS[state].length === 0;
}

export function isFinalState(text: string): text is FinalState {
  return RUN_STATES.some((state) => state === text && isFinal(state));
}

/** The states of a usage event: a run is `started` for the ledger from its acceptance on. */
export type UsageState = 'started' | FinalState;
