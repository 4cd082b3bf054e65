import type { Job, ResultOf } from '#client/index.ts';
import { answeredJob, followLive, isUnderWay } from '#console/session/live-run.ts';
import { client, currentSession } from '#console/session/session.ts';

export const MODEL = 'model_f_combined';
type Result = ResultOf<typeof MODEL, 'compact'>;

export interface TodaysPicks {
  job: Job;
  /** undefined if the run has not succeeded. */
  result: Result | undefined;
  datasetVersion: string | undefined;
}

/** Job id by session, so that a return to the page, or a change of language, starts no new run. */
const jobIdOf = new WeakMap<object, string>();

/** Makes the next visit to the page run the model again. */
export function forgetTodaysRun(): void {
  jobIdOf.delete(currentSession.peek()!);
}

/** The picks of the model with its default parameters. */
export async function todaysPicks(shows: (job: Job) => void, signal: AbortSignal): Promise<TodaysPicks> {
  const session = currentSession.peek()!;
  const onJob = (job: Job) => {
    jobIdOf.set(session, job.job_id);
    shows(job);
  };
  const known = jobIdOf.get(session);
  if (known !== undefined) {
    const answered = await picksOf(known, signal);
    if (answered.result) return answered;
    if (isUnderWay(answered.job)) {
      shows(answered.job);
      await followLive(known, { onJob, signal });
      return picksOf(known, signal);
    }
  }
  const accepted = await client.peek().runs.submit(MODEL, { params: {}, view: 'compact', signal });
  onJob(accepted);
  await followLive(accepted.job_id, { onJob, signal });
  return picksOf(accepted.job_id, signal);
}

async function picksOf(jobId: string, signal: AbortSignal): Promise<TodaysPicks> {
  const { job, datasetVersion } = await answeredJob(jobId, signal);
  return { job, result: job.result as Result | undefined, datasetVersion };
}
