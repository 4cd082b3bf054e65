/** What each scope grants; the table of `GET /api/v1/scopes` and the only list of scopes there is. */
export const SCOPES = {
  'models:read': 'List models, read parameter schemas',
  'models:run': 'Submit runs, poll and list own jobs',
  'data:read': 'All /api/v1/data/* endpoints',
  'usage:read': 'Own usage history and own end users',
  'usage:admin': 'Usage across all keys and channels; operator only',
} as const;

export type Scope = keyof typeof SCOPES;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
