import { fingerprintOf } from '#shared/idempotency.ts';
import { refuse } from '#shared/invalid-request.ts';
import type { RunInput } from './catalogue/run-validation.ts';
import { isOwnRun } from '#shared/operator-runs.ts';
import type { Claims, Repeatable } from './store/insert-run.ts';

/** A run as it is asked for. */
export interface Submission extends RunInput {
  api_key_id: string;
  end_user: string;
  channel: string;
  /** The key itself when absent. */
  actor?: string | undefined;
  idempotency_key?: string | undefined;
  /** The same of every repetition of this one request. */
  submission_id?: string | undefined;
  request_id: string;
  /** The run reads a dataset that has this trading day, YYYY-MM-DD. */
  trading_day?: string | undefined;
}

/**
 * Refuses to act for the service itself: its own runs are made here and nowhere else.
 * @throws ServiceError invalid_request
 */
export function requireTenant({ api_key_id }: Pick<Submission, 'api_key_id'>): void {
  if (!isOwnRun({ api_key_id })) return;
  const msg = 'must be the id of an API key';
  refuse([{ loc: ['api_key_id'], msg, type: 'value_error', input: api_key_id }]);
}

/** What a submission may begin but one run under. */
export function claimsOf(submission: Submission): Claims {
  return { submissionId: submission.submission_id, repeatable: repeatableOf(submission) };
}

/** By what a repetition is known: its key, and everything that says which run is asked for, as it was asked. */
function repeatableOf(submission: Submission): Repeatable | undefined {
  const { idempotency_key: key, model_id, params = {}, view, end_user, trading_day } = submission;
  if (key === undefined) return undefined;
  return { key, fingerprint: fingerprintOf({ model_id, params, view, end_user, trading_day }) };
}
