/** Every status of a recorded run, with the version its row has in the ledger: the row with the highest one counts. */
export const STATE_VERSION = { started: 1, succeeded: 2, failed: 2, interrupted: 2 } as const;

export type RunStatus = keyof typeof STATE_VERSION;

export function isRunStatus(text: string): text is RunStatus {
  return Object.hasOwn(STATE_VERSION, text);
}
