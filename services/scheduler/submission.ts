import type { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import type { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import type { Clock } from '#foundation/clock.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Attempt } from './store/firing-store.ts';

const RUN_SCOPE = 'models:run';

/** The outcome of an attempt. A firing that waits may still be accepted later. */
type Outcome =
  | { kind: 'accepted'; jobId: string }
  /** `endsBecause` says why the schedule can never run again. */
  | { kind: 'refused'; reason: string; endsBecause?: string | undefined }
  | { kind: 'waits'; reason: string };

interface SubmissionsDependencies {
  keys: ServiceClient<KeysServiceService>;
  runs: ServiceClient<RunsServiceService>;
  clock: Clock;
  /** Aborts running calls. */
  stopping: AbortSignal;
}

export class Submissions {
  readonly #deps: SubmissionsDependencies;

  constructor(deps: SubmissionsDependencies) {
    this.#deps = deps;
  }

  /**
   * Submitting the same firing again is safe for 24 hours: its idempotency key returns the run that the first attempt started.
   */
  async submit(firing: Attempt): Promise<Outcome> {
    const call = this.#call();
    try {
      await requireUsable(firing.api_key_id, this.#deps, call);
    } catch (error) {
      return outcomeOf(error, (refusal) => (refusal.code === 'not_found' ? refusal.message : undefined));
    }
    try {
      return { kind: 'accepted', jobId: await this.#submit(firing, call) };
    } catch (error) {
      // A universe that is unknown today may be known on the next day.
      return outcomeOf(error, () => undefined);
    }
  }

  /**
   * Ensures that no attempt at the firing starts a run any more. If an earlier attempt started one without a response, the
   * firing is accepted. Otherwise it is refused for this reason.
   */
  async giveUp(firing: Attempt, reason: string): Promise<Outcome> {
    try {
      const { job_id } = await this.#deps.runs.closeIdempotencyKey(keyOf(firing), this.#call());
      return job_id === undefined ? { kind: 'refused', reason } : { kind: 'accepted', jobId: job_id };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { kind: 'waits', reason: firing.reason ?? reasonOf(error) };
    }
  }

  async #submit(firing: Attempt, call: CallContext): Promise<string> {
    const { schedule_id, trading_day, end_user, model_id, view, params } = firing;
    const run = { ...keyOf(firing), model_id, params, view, end_user, trading_day, actor: schedule_id };
    const { job } = await this.#deps.runs.submitRun(run, call);
    if (!job)
      throw new ServiceError('internal_error', 'The models service did not say which job it accepted.');
    return job.job_id;
  }

  #call(): CallContext {
    return { requestId: randomId('req'), signal: this.#deps.stopping };
  }
}

/**
 * @throws ServiceError not_found for an unknown key or one that was deleted, key_disabled, invalid_api_key for one that expired, or
 *   insufficient_scope
 */
export async function requireUsable(
  id: string,
  { keys, clock }: Pick<SubmissionsDependencies, 'keys' | 'clock'>,
  call: CallContext,
): Promise<void> {
  const { api_key } = await keys.getKey({ id }, call);
  if (!api_key) return;
  const { disabled, expires_at, scopes } = api_key;
  if (disabled) throw new ServiceError('key_disabled', `Key ${id} is disabled.`);
  if (expires_at && expires_at <= clock())
    throw new ServiceError('invalid_api_key', `Key ${id} has expired.`);
  if (!scopes.includes(RUN_SCOPE))
    throw new ServiceError('insufficient_scope', `Key ${id} lacks the scope ${RUN_SCOPE}.`);
}

/** What a failed attempt means. `endOf` says why the schedule can never run again. */
function outcomeOf(error: unknown, endOf: (refusal: ServiceError) => string | undefined): Outcome {
  if (!(error instanceof ServiceError)) throw error;
  if (error.httpStatus >= 500) return { kind: 'waits', reason: reasonOf(error) };
  return { kind: 'refused', reason: reasonOf(error), endsBecause: endOf(error) };
}

/** The idempotency key under which the run starts at most once. */
function keyOf({ schedule_id, market, trading_day, api_key_id }: Attempt) {
  return {
    api_key_id,
    channel: 'scheduled',
    idempotency_key: `${schedule_id}:${trading_day}${market === 'real' ? '' : `:${market}`}`,
  };
}

function reasonOf({ message, code }: ServiceError): string {
  return `${message} (${code})`;
}
