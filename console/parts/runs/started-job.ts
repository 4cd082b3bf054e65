import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '#client/index.ts';
import { followLive } from '#console/session/live-run.ts';
import { client } from '#console/session/session.ts';

/** A job that a page starts and follows until it ends or the page is left. */
export function useStartedJob() {
  const [job, setJob] = useState<Job>();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  /** @param onAccepted told of the job before it is followed */
  const start = async (submit: (signal: AbortSignal) => Promise<Job>, onAccepted?: (job: Job) => void) => {
    const { signal } = leaving.current;
    setFailure(undefined);
    setJob(undefined);
    setBusy(true);
    try {
      const accepted = await submit(signal);
      setJob(accepted);
      onAccepted?.(accepted);
      await followLive(accepted.job_id, { onJob: setJob, signal });
    } catch (problem) {
      if (!signal.aborted) setFailure(problem);
    }
    setBusy(false);
  };
  const cancel = () => void client.peek().jobs.cancel(job!.job_id).catch(setFailure);
  return { job, failure, isBusy, start, cancel: isBusy && job ? cancel : undefined };
}
