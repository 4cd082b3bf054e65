/**
 * In whose name the operator's own runs are made, which keep the public part of the record. No API key has such an id, and
 * no usage is recorded of these runs.
 */
export const OPERATOR = { api_key_id: 'operator', channel: 'daily', actor: 'operator' } as const;

/** In whose name the runs are made that show whether runs complete. Nothing is kept of them, on record neither. */
export const CANARY = {
  api_key_id: 'canary',
  channel: 'canary',
  actor: 'operator',
  end_user: 'canary',
} as const;

/** The ids that no API key has. */
export const OWN_IDS: readonly string[] = [OPERATOR.api_key_id, CANARY.api_key_id];

/** Whether the service made the run itself, so that it is nobody's usage. */
export function isOwnRun({ api_key_id }: { api_key_id: string }): boolean {
  return OWN_IDS.includes(api_key_id);
}

export function isCanary({ api_key_id }: { api_key_id: string }): boolean {
  return api_key_id === CANARY.api_key_id;
}
