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
