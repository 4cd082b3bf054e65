import type { RecordedStatus } from '#proto/saring/wire/v1/words.ts';

export type RunStatus = RecordedStatus;

/** The version that the row of each status has in the ledger: the row with the highest one counts. */
export const STATE_VERSION = { started: 1, succeeded: 2, failed: 2, interrupted: 2 } satisfies Record<
  RunStatus,
  number
>;

export function isRunStatus(text: string): text is RunStatus {
  return Object.hasOwn(STATE_VERSION, text);
}
