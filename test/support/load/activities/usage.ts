import { pick, untilWanted, type Activity, type Actor } from '../actor.ts';
import type { Reply } from '../load-client.ts';

interface Page {
  events: { event_id: string; ts: string; job_id: string }[];
  next_cursor?: string | null;
}

/** Job ids on all pages of usage, of one end user or of all. Each page is read again until it is answered. */
export async function walkThroughUsage(actor: Actor, endUser?: string): Promise<Set<string>> {
  const { client, accepted } = actor;
  const filter = endUser === undefined ? '' : `&end_user=${endUser}`;
  const seen = new Map<string, string>();
  let before = '';
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
    const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/api/v1/usage/events?limit=20${filter}${after}`;
    const ask = () => responseOf<Page>(actor, 'usage, page of a walk', path);
    const { status, body } = await untilWanted(actor, ask, (reply) => reply.status === 200);
    if (status !== 200) return new Set(seen.values());
    for (const { event_id, ts, job_id } of body.events) {
      if (seen.has(event_id)) client.tally.breach('a run twice in one walk through usage', event_id);
      if (before !== '' && ts > before) client.tally.breach('usage out of order', `${event_id} at ${ts}`);
      seen.set(event_id, job_id);
      before = ts;
    }
    cursor = body.next_cursor;
  }
  accepted.walks++;
  return new Set(seen.values());
}

/** Reads everything of one end user, page by page. */
export const readOwnUsage: Activity = async (actor) => void (await walkThroughUsage(actor, actor.endUser));

export const summarizeUsage: Activity = async (actor) => {
  const groupBy = pick(actor, ['model', 'end_user', 'status', 'channel', 'day']);
  await responseOf(actor, 'usage, summary', `/api/v1/usage/summary?group_by=${groupBy}`);
  if (actor.random.chance(0.3)) await responseOf(actor, 'usage, end users', '/api/v1/usage/end-users');
};

export const administerUsage: Activity = async (actor) => {
  const paths = ['events?limit=50', 'summary?group_by=api_key', 'keys', 'end-users?limit=100'];
  await responseOf(actor, 'usage, of every key', `/api/v1/admin/usage/${pick(actor, paths)}`, actor.admin);
};

function responseOf<Body>(actor: Actor, kind: string, path: string, app = actor.app): Promise<Reply<Body>> {
  return actor.client.ask<Body>({ kind, path, app, expected: ['200'], unavailable: 'usage_unavailable' });
}
