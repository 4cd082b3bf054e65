import type { Scope } from '#proto/saring/wire/v1/words.ts';

export type { Scope };

/** What each scope grants, as listed by `GET /api/v1/scopes`. The scopes themselves are declared in proto/. */
export const SCOPES = {
  'models:read': 'List models, read parameter schemas',
  'models:run': 'Submit runs, poll and list own jobs',
  'data:read': 'All /api/v1/data/* endpoints',
  'usage:read': 'Own usage history and own end users',
  'usage:admin': 'Usage across all keys and channels; operator only',
  'screens:read': 'Read and run own screens and watchlists, and those shared within the key',
  'screens:write': 'Create, replace and delete own screens and watchlists',
  'webhooks:write': 'Create, read, change and delete own webhooks, and deliver events to them again',
  'events:read': 'Read and stream own events',
} as const satisfies Record<Scope, string>;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
