import { invalidRequest, outOfRange } from '#shared/invalid-request.ts';
import type { FieldError } from '#shared/service-error.ts';
import { isRunStatus, STATE_VERSION } from './run-status.ts';
import type { EventFilter } from './store/event-conditions.ts';
import type { Grouping } from './store/grouping.ts';

/** A filter without its key would read beyond it. */
export function filterMistakes({ of, status, since, until }: EventFilter): FieldError[] {
  const detail: FieldError[] = [];
  if (of !== 'every key' && of.apiKeyId === '') {
    detail.push({ loc: ['api_key_id'], msg: 'must be given', type: 'missing' });
  }
  if (status !== undefined && !isRunStatus(status)) {
    detail.push(notOneOf('status', Object.keys(STATE_VERSION), status));
  }
  for (const [name, moment] of Object.entries({ since, until })) {
    if (moment && Number.isNaN(moment.getTime()))
      detail.push({ loc: ['query', name], msg: 'is no moment in time', type: 'datetime_parsing' });
  }
  return detail;
}

export function limitMistakes(limit: number, max: number): FieldError[] {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return [];
  return [outOfRange(['query', 'limit'], 1, max, limit)];
}

/** The grouping of that name, out of those that the caller may use. */
export function requireGrouping(name: string, allowed: readonly Grouping[]): Grouping {
  const grouping = allowed.find((one) => one === name);
  if (!grouping) throw invalidRequest([notOneOf('group_by', allowed, name)]);
  return grouping;
}

function notOneOf(name: string, allowed: readonly string[], input: string): FieldError {
  return { loc: ['query', name], msg: `must be one of ${allowed.join(', ')}`, type: 'enum', input };
}
