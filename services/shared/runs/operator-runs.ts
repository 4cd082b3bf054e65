/**
 * The owner of the operator's own runs, which keep the public part of the record. No API key has this id, and no usage is
 * recorded for these runs.
 */
export const OPERATOR = { api_key_id: 'operator', channel: 'daily', actor: 'operator' } as const;

/** The owner of the runs that test whether runs complete. Nothing of them is kept, not even on record. */
export const CANARY = {
  api_key_id: 'canary',
  channel: 'canary',
  actor: 'operator',
  end_user: 'canary',
} as const;

/** The owner ids that are not API keys. */
export const OWN_IDS: readonly string[] = [OPERATOR.api_key_id, CANARY.api_key_id];

/** Whether the service started the run itself, so that it counts as nobody's usage. */
export function isOwnRun({ api_key_id }: { api_key_id: string }): boolean {
  return OWN_IDS.includes(api_key_id);
}

/** Whether it is one of the operator's daily runs, whose results are fields of stocks. */
export function isDaily({ api_key_id }: { api_key_id: string }): boolean {
  return api_key_id === OPERATOR.api_key_id;
}

export function isCanary({ api_key_id }: { api_key_id: string }): boolean {
  return api_key_id === CANARY.api_key_id;
}
