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

/** In the contract's order. */
export function renderAdminGroup({ key, runs, succeeded, failed, ...group }: UsageGroup) {
  return {
    key,
    runs,
    succeeded,
    failed,
    avg_duration_seconds: group.avg_duration_seconds ?? null,
    last_run_at: renderMoment(group.last_run_at),
    // Of rows that are end users, which belong to a key; no other row has one.
    ...(group.api_key_id !== undefined && { api_key_id: group.api_key_id }),
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

function renderMoment(moment: Date | undefined): string {
  if (!moment) throw new Error('the usage service did not say when');
  return jakartaDateTime(moment);
}
