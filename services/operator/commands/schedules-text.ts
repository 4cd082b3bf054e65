import type { Firing, Schedule } from '#proto/saring/scheduler/v1/scheduler.ts';
import { jakartaSecond } from '#shared/jakarta-time.ts';
import { terminalText } from '#shared/text/terminal-text.ts';
import { textTable } from '#shared/text/text-table.ts';

/** What people and scripts read of schedules and of what has come of them. */

/** A schedule as scripts read it: what it lacks is null. */
export function scheduleDocument({ last_trading_day, last_job_id, ...schedule }: Schedule) {
  return { ...schedule, last_trading_day: last_trading_day ?? null, last_job_id: last_job_id ?? null };
}

/** The same of a firing. */
export function firingDocument({ job_id, reason, ...firing }: Firing) {
  return { ...firing, job_id: job_id ?? null, reason: reason ?? null };
}

export function schedulesText(schedules: Schedule[]): string {
  if (schedules.length === 0) return 'There is no schedule yet.';
  const head = ['id', 'name', 'model', 'calendar', 'key', 'end user', 'state', 'last day', 'last job'];
  const rows = schedules.map((schedule) => [
    schedule.id,
    schedule.name,
    schedule.model_id,
    schedule.calendar,
    schedule.api_key_id,
    schedule.end_user,
    stateOf(schedule),
    schedule.last_trading_day ?? 'none yet',
    schedule.last_job_id ?? '',
  ]);
  return textTable(head, rows).join('\n');
}

export function scheduleText(schedule: Schedule): string {
  const { id, name, model_id, view, calendar, api_key_id, end_user, params = {} } = schedule;
  const { last_trading_day, last_job_id } = schedule;
  const isBare = Object.keys(params).length === 0;
  return [
    `Schedule ${id}, ${terminalText(name)}: ${stateOf(schedule)}`,
    `  runs      ${model_id}, ${calendar}, ${view} view`,
    `  with      ${isBare ? 'the model’s defaults' : JSON.stringify(params)}`,
    `  for       key ${api_key_id}, end user ${terminalText(end_user)}`,
    `  last due  ${last_trading_day ?? 'not yet'}${last_job_id ? `, job ${last_job_id}` : ''}`,
  ].join('\n');
}

export function firingsText(firings: Firing[]): string {
  if (firings.length === 0) return 'No schedule was due yet.';
  const rows = firings.map(({ schedule_id, trading_day, ts, outcome, job_id, reason }) => {
    return [trading_day, ts ? jakartaSecond(ts) : '', schedule_id, outcome, job_id ?? reason ?? ''];
  });
  return textTable(['trading day', 'at (Jakarta)', 'schedule', 'outcome', 'job or reason'], rows).join('\n');
}

function stateOf({ enabled }: Schedule): string {
  return enabled ? 'enabled' : 'disabled';
}
