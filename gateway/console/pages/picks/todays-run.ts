import type { Job, ResultOf } from '#gateway/client/index.ts';
import { answeredJob, runLive } from '#console/session/live-run.ts';
import { currentSession } from '#console/session/session.ts';

export const MODEL = 'model_f_combined';
type Result = ResultOf<typeof MODEL, 'compact'>;

export interface TodaysPicks {
  job: Job;
  /** Undefined of a run that has not succeeded. */
  result: Result | undefined;
  /** Parameters that were loosened, since the defaults pick nothing on this day. */
  loosened: Record<string, unknown> | undefined;
  datasetVersion: string | undefined;
}

interface Known {
  jobId: string;
  loosened: Record<string, unknown> | undefined;
}

/** By session: coming back to the page, or to the other language, is no new run. */
const knownOf = new WeakMap<object, Known>();

/** The next look at the page runs the model anew. */
export function forgetTodaysRun(): void {
  knownOf.delete(currentSession.peek()!);
}

/**
 * Runs the model with its defaults. Where these pick nothing, it runs again with the least change that the API suggests,
 * and the page says so: an empty page would show nobody what a pick is.
 */
export async function todaysPicks(onJob: (job: Job) => void, signal: AbortSignal): Promise<TodaysPicks> {
  const session = currentSession.peek()!;
  const known = knownOf.get(session);
  if (known) {
    const answered = await picksOf(known, signal);
    if (answered.result) return answered;
  }
  const follow = { view: 'compact', onJob, signal } as const;
  let now: Known = { jobId: await runLive(MODEL, { params: {}, ...follow }), loosened: undefined };
  let answered = await picksOf(now, signal);
  const loosened = answered.result?.empty?.changes;
  if (loosened && Object.keys(loosened).length > 0) {
    now = { jobId: await runLive(MODEL, { params: loosened, ...follow }), loosened };
    answered = await picksOf(now, signal);
  }
  knownOf.set(session, now);
  return answered;
}

async function picksOf({ jobId, loosened }: Known, signal: AbortSignal): Promise<TodaysPicks> {
  const { job, datasetVersion } = await answeredJob(jobId, signal);
  return { job, result: job.result as Result | undefined, loosened, datasetVersion };
}
