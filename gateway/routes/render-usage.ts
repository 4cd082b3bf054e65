import type { EndUser, KeyUsage, UsageEvent, UsageGroup } from '#proto/saring/usage/v1/usage.ts';
import { jakartaDateTime } from '#shared/jakarta-time.ts';

/** With the identities that only the operator sees. */
export function renderAdminEvent(event: UsageEvent) {
  return {
    ...event,
    ts: renderMoment(event.ts),
    params: event.params ?? {},
    summary: event.summary ?? null,
  };
}

export function renderEvent(event: UsageEvent) {
  const { api_key_id: _key, actor: _actor, ...own } = renderAdminEvent(event);
  return own;
}

export function renderPage<Rendered>(
  { events, next_cursor }: { events: UsageEvent[]; next_cursor?: string | undefined },
  render: (event: UsageEvent) => Rendered,
) {
  return {
    events: events.map(render),
    count: events.length,
    next_cursor: next_cursor ?? null,
    has_more: next_cursor !== undefined,
  };
}

export function renderAdminGroup({ api_key_id, avg_duration_seconds, ...group }: UsageGroup) {
  return {
    ...group,
    api_key_id: api_key_id ?? null,
    avg_duration_seconds: avg_duration_seconds ?? null,
    last_run_at: renderMoment(group.last_run_at),
  };
}

export function renderGroup(group: UsageGroup) {
  const { api_key_id: _key, ...own } = renderAdminGroup(group);
  return own;
}

export function renderAdminEndUser(endUser: EndUser) {
  const { first_seen, last_seen } = endUser;
  return { ...endUser, first_seen: renderMoment(first_seen), last_seen: renderMoment(last_seen) };
}

export function renderEndUser(endUser: EndUser) {
  const { api_key_id: _key, ...own } = renderAdminEndUser(endUser);
  return own;
}

export function renderKeyUsage(usage: KeyUsage) {
  const { first_run_at, last_run_at } = usage;
  return { ...usage, first_run_at: renderMoment(first_run_at), last_run_at: renderMoment(last_run_at) };
}

/** The usage service always tells moments; a message as such may lack them. */
function renderMoment(moment: Date | undefined): string {
  return jakartaDateTime(moment ?? new Date(0));
}
