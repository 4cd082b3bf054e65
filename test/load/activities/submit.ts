import { randomUUID } from 'node:crypto';
import { MODELS } from '#screens/registry.ts';
import type { JobBody } from '#support/fleets/jobs.ts';
import { pause, pick, type Actor } from '../actor.ts';
import type { Reply } from '../load-client.ts';

/** Of what callers hold already, which takes positions, there is a share of its own. */
const LEARNING = MODELS.filter(({ learns, category }) => learns && category === 'swing');
/** Of all runs; one of them costs as much as a dozen others. */
const LEARNING_SHARE = 0.04;
const RECOVERY_SHARE = 0.03;
/** Between a submission that a 503 answered and its repetition. */
const RETRY_MS = [200, 800] as const;

interface Submission {
  model: string;
  params: object;
  waitSeconds?: number;
  /** Sent as Idempotency-Key. */
  key?: string;
}

/** What an application mostly asks for, seldom one of the models that learn. */
export function anySubmission(actor: Actor): Submission {
  const { random, market } = actor;
  if (random.chance(LEARNING_SHARE)) return learningSubmission(actor);
  if (random.chance(RECOVERY_SHARE)) {
    const positions = market.tickers.slice(0, 3).map((ticker) => ({ ticker, pnl_input: -10 }));
    // One in three has entered no positions: the run fails, which is an outcome as any other.
    return { model: 'recovery_v4', params: random.chance(1 / 3) ? {} : { positions } };
  }
  return { model: 'confluence_filter', params: { min_signals: 1, lookback: 1 + random.below(10) } };
}

export function learningSubmission(actor: Actor): Submission {
  const { id: model, examples } = pick(actor, LEARNING);
  const { params } = examples(actor.market.tickers).find(({ view }) => view !== 'compact')!;
  return { model, params };
}

export function withKey(submission: Submission): Submission & { key: string } {
  return { ...submission, key: randomUUID() };
}

/** Sends a submission once; an acceptance is remembered. */
export async function send(actor: Actor, submission: Submission): Promise<Reply<JobBody>> {
  const { client, app, endUser, accepted } = actor;
  const { model, params, waitSeconds = 0, key } = submission;
  const reply = await client.ask<JobBody>({
    kind: waitSeconds > 0 ? 'run, submitted with wait' : 'run, submitted',
    method: 'POST',
    path: `/api/v1/models/${model}/runs${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`,
    app,
    endUser,
    body: { params },
    waitSeconds,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    expected: waitSeconds > 0 ? ['200', '202'] : ['202'],
    away: 'model_unavailable',
  });
  if (isAccepted(reply)) accepted.runs.set(reply.body.job_id, app);
  return reply;
}

/**
 * Submits until it is accepted or refused for good, as an application does: what was not answered is sent again if it
 * has a key, and otherwise given up.
 */
export async function submit(actor: Actor, submission: Submission): Promise<JobBody | undefined> {
  for (;;) {
    const reply = await send(actor, submission);
    if (isAccepted(reply)) return reply.body;
    if (reply.status === 429) return undefined;
    if (submission.key === undefined || actor.over.aborted) {
      actor.accepted.unanswered++;
      return undefined;
    }
    await pause(actor, ...RETRY_MS);
  }
}

export function isAccepted({ status }: Reply<unknown>): boolean {
  return status === 200 || status === 202;
}
