import { cutText } from '#shared/text/cut-text.ts';
import { fingerprintOf, idempotencyKeyMistake } from '#shared/idempotency.ts';
import { refuse } from '#shared/invalid-request.ts';
import type { FieldError } from '#shared/service-error.ts';
import type { RunInput } from './catalogue/run-validation.ts';
import { isOwnRun } from './operator-runs.ts';
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

const CHANNEL_PATTERN = '^[a-z][a-z0-9_-]{0,31}$';
const CHANNEL = new RegExp(CHANNEL_PATTERN);
const ACTOR_PATTERN = String.raw`^\P{Cc}{1,128}$`;
const ACTOR = new RegExp(ACTOR_PATTERN, 'u');
const MAX_ECHOED_LENGTH = 40;

/**
 * Refuses a caller that cannot be recorded, and an idempotency key that is none.
 * @throws ServiceError invalid_request
 */
export function requireCaller({ channel, actor, idempotency_key, submission_id }: Submission): void {
  const mistakes: (FieldError | undefined)[] = [
    CHANNEL.test(channel) ? undefined : mismatch('channel', channel, CHANNEL_PATTERN),
    actor === undefined || ACTOR.test(actor) ? undefined : mismatch('actor', actor, ACTOR_PATTERN),
    idempotency_key === undefined ? undefined : idempotencyKeyMistake(idempotency_key, ['idempotency_key']),
    submission_id === undefined ? undefined : idempotencyKeyMistake(submission_id, ['submission_id']),
  ];
  refuse(mistakes.filter((mistake) => mistake !== undefined));
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

function mismatch(field: string, value: string, pattern: string): FieldError {
  const input = cutText(value, MAX_ECHOED_LENGTH);
  const msg = `must be text of the form ${pattern}`;
  return { loc: [field], msg, type: 'string_pattern_mismatch', input, ctx: { pattern } };
}
