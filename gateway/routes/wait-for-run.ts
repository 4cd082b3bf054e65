import type { Job } from '#proto/saring/models/v1/runs.ts';
import type { ClientCall } from '../routing/client-call.ts';
import type { Backend } from '../backend.ts';
import { watchRun, wishOf } from './watch-run.ts';

/** The deadline of the stream lies behind the wait, so that the wait ends it and not an error. */
const DEADLINE_SLACK_MS = 5_000;

export function isFinal({ status }: Job): boolean {
  return status !== 'queued' && status !== 'running';
}

/**
 * Watches an accepted run until it is final, `waitMs` have passed, the client has gone or the gateway stops.
 * Answers the job as last seen and never fails: the run was accepted, and the client must learn its id.
 */
export async function waitForRun(
  job: Job,
  waitMs: number,
  call: ClientCall,
  { services, stopping }: Backend,
): Promise<Job> {
  const { signal, end } = wishOf(call, stopping);
  const timer = setTimeout(end, waitMs);
  const options = { signal, timeoutMs: waitMs + DEADLINE_SLACK_MS };
  let latest = job;
  try {
    for await (const seen of watchRun(job.job_id, call, services, options)) {
      latest = seen;
      if (isFinal(latest)) break;
    }
  } catch {
    return latest;
  } finally {
    clearTimeout(timer);
    end();
  }
  return latest;
}
