import type { RunState } from '#proto/saring/usage/v1/usage.ts';
import type { RecordedStatus } from '#proto/saring/wire/v1/words.ts';
import { invalidRequest, refuse } from '#shared/invalid-request.ts';
import type { FieldError } from '#shared/service-error.ts';
import type { EventFilter } from './store/event-conditions.ts';
import type { RunToFind } from './store/unrecorded-runs.ts';

/** @throws ServiceError invalid_request for a moment that is no date: a timestamp can hold what a Date cannot */
export function refuseBadMoments({ since, until }: EventFilter): void {
  const detail: FieldError[] = [];
  for (const [name, moment] of Object.entries({ since, until })) {
    if (moment && Number.isNaN(moment.getTime()))
      detail.push({ loc: ['query', name], msg: 'is no moment in time', type: 'datetime_parsing' });
  }
  refuse(detail);
}

/** What a caller asks for, each with its moment. */
export function requireRuns(runs: RunState[]): RunToFind[] {
  return runs.map(({ event_id, api_key_id, ts, status }) => {
    if (!ts) throw invalidRequest([{ loc: ['runs', 'ts'], msg: 'must be given', type: 'missing' }]);
    return { event_id, api_key_id, ts, status: status as RecordedStatus };
  });
}
