export const RUN_STATES = ['queued', 'running', 'succeeded', 'failed', 'interrupted'] as const;
export type RunState = (typeof RUN_STATES)[number];
export type FinalState = Extract<RunState, 'succeeded' | 'failed' | 'interrupted'>;

/**
 * The states that a run may enter from each state. The end may be reported before the start, because the two reports
 * travel separately. A report that arrives after the end changes nothing.
 */
export const TRANSITIONS: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['running', 'succeeded', 'failed', 'interrupted'],
  running: ['succeeded', 'failed', 'interrupted'],
  succeeded: [],
  failed: [],
  interrupted: [],
};

/**
 * The state that a cancellation sets immediately. A running run keeps its state and is marked as cancelled until its
 * worker sees that; if it ends before, it keeps its result.
 */
export const ON_CANCEL: Readonly<Record<Exclude<RunState, FinalState>, RunState>> = {
  queued: 'failed',
  running: 'running',
};

/** Whether the run was cancelled while it waited: no worker ever started it, and nothing was analysed. */
export function endedUnbegun(run: {
  status: RunState;
  cancelled_at: Date | null;
  started_at: Date | null;
}): boolean {
  return isFinal(run.status) && run.cancelled_at !== null && run.started_at === null;
}

/**
 * The final state of a cancelled run. `interrupted` becomes `failed`: a cancelled run must not run again because its
 * worker was lost.
 */
export function endOfCancelled(reported: FinalState): FinalState {
  return reported === 'interrupted' ? 'failed' : reported;
}

/** The states from which a run may enter this one. */
export function statesBefore(next: RunState): RunState[] {
  return RUN_STATES.filter((state) => TRANSITIONS[state].includes(next));
}

export function isFinal(state: RunState): state is FinalState {
  return TRANSITIONS[state].length === 0;
}

export function isFinalState(text: string): text is FinalState {
  return RUN_STATES.some((state) => state === text && isFinal(state));
}

/** The states of a usage event. For the ledger, a run is `started` as soon as it is accepted. */
export type UsageState = 'started' | FinalState;
