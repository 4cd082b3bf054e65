import { pick, type Activity, type Actor } from '../actor.ts';
import type { Application } from '../load-client.ts';

const MAX_PAGES = 3;

interface Page {
  events: { event_id: string }[];
  next_cursor?: string | null;
  has_more: boolean;
}

/** Reads some pages of the newest events, and a single event. */
export const pageThroughUsage: Activity = async (actor) => {
  const filter = actor.random.chance(0.5) ? `&end_user=${actor.endUser}` : '';
  let cursor = '';
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const path = `/api/v1/usage/events?limit=20${filter}${cursor}`;
    const page = await read<Page>(actor, 'usage, page', path);
    const [first] = page?.events ?? [];
    if (first && pages === 0) await read(actor, 'usage, one event', `/api/v1/usage/events/${first.event_id}`);
    if (!page?.has_more) return;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor ?? '')}`;
  }
};

export const summarizeUsage: Activity = async (actor) => {
  const groupBy = pick(actor, ['model', 'end_user', 'status', 'channel', 'day']);
  await read(actor, 'usage, summary', `/api/v1/usage/summary?group_by=${groupBy}`);
  if (actor.random.chance(0.3)) await read(actor, 'usage, end users', '/api/v1/usage/end-users');
};

export const administerUsage: Activity = async (actor) => {
  const paths = ['events?limit=50', 'summary?group_by=api_key', 'keys', 'end-users?limit=100'];
  await read(actor, 'usage, of every key', `/api/v1/admin/usage/${pick(actor, paths)}`, actor.admin);
};

async function read<Body>(
  { client, app }: Actor,
  kind: string,
  path: string,
  asking: Application = app,
): Promise<Body | undefined> {
  const question = { kind, path, app: asking, expected: ['200'], away: 'usage_unavailable' } as const;
  const { status, body } = await client.ask<Body>(question);
  return status === 200 ? body : undefined;
}
