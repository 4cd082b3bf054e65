import { randomUUID } from 'node:crypto';
import { MODELS } from '#models/registry.ts';
import type { JobBody } from '#support/rest/jobs.ts';
import { pick, untilWanted, type Actor } from '../actor.ts';
import type { Reply } from '../load-client.ts';

/** Models that train, without those for positions that callers already hold, which have their own share. */
const LEARNING = MODELS.filter(({ learns, picks }) => learns && picks);
/** Share of all runs. One of them costs as much as a dozen others. */
const LEARNING_SHARE = 0.04;
const RECOVERY_SHARE = 0.03;

interface Submission {
  model: string;
  params: object;
  waitSeconds?: number;
  /** Sent as Idempotency-Key. */
  key?: string;
}

/** A submission as applications mostly send it, rarely for a model that trains. */
export function anySubmission(actor: Actor): Submission {
  const { random, market } = actor;
  if (random.chance(LEARNING_SHARE)) return learningSubmission(actor);
  if (random.chance(RECOVERY_SHARE)) {
    const positions = market.tickers.slice(0, 3).map((ticker) => ({ ticker, pnl_input: -10 }));
    // One in three has no positions. That run fails, which is a regular outcome.
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

/** Sends a submission once and records its acceptance. */
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
    unavailable: 'model_unavailable',
  });
  if (isAccepted(reply)) accepted.runs.set(reply.body.job_id, app);
  return reply;
}

/**
 * Submits until the submission is accepted or finally refused, as an application does. Without a response, repeats it if it has
 * a key and otherwise gives up.
 */
export async function submit(actor: Actor, submission: Submission): Promise<JobBody | undefined> {
  const isDecided = (reply: Reply<JobBody>) =>
    isAccepted(reply) || reply.status === 429 || submission.key === undefined;
  const reply = await untilWanted(actor, () => send(actor, submission), isDecided);
  if (isAccepted(reply)) return reply.body;
  if (reply.status !== 429) actor.accepted.unanswered++;
  return undefined;
}

export function isAccepted({ status }: Reply<unknown>): boolean {
  return status === 200 || status === 202;
}
