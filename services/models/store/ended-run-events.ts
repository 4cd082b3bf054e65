import { eventFor } from '#platform/postgres/outbox-event.ts';
import { isOwnRun } from '#shared/runs/operator-runs.ts';
import type { OutboxMessage } from '#platform/postgres/outbox.ts';
import { isFinalState } from './run-states.ts';
import type { RunRow } from './tables.ts';

/** What the key of a run is told once the run has ended. Nobody is told of the service's own runs, or of one that goes on. */
export function eventsOfRun(run: RunRow): OutboxMessage[] {
  const { status, api_key_id, job_id, model_id, end_user, target_date: as_of, error_code } = run;
  if (isOwnRun(run) || !isFinalState(status)) return [];
  const at = run.finished_at!;
  const data = { job_id, model_id, end_user, as_of };
  if (status === 'succeeded') {
    const { pick_count } = run;
    return [eventFor('models', api_key_id, { type: 'run.succeeded', data: { ...data, pick_count }, at })];
  }
  return [eventFor('models', api_key_id, { type: `run.${status}`, data: { ...data, error_code }, at })];
}
