import type { Job } from '#proto/saring/models/v1/runs.ts';
import type { ClientCall } from '../http/client-call.ts';
import type { Backend } from '../backend.ts';
import { FINAL_STATUSES } from '../schemas/job.ts';

/** The deadline of the stream lies behind the wait, so that the wait ends it and not an error. */
const DEADLINE_SLACK_MS = 5_000;

export function isFinal({ status }: Job): boolean {
  return FINAL_STATUSES.includes(status);
}

/**
 * Watches an accepted run until it is final, `waitMs` have passed, the client has gone or the gateway stops.
 * Answers the job as last seen and never fails: the run was accepted, and the client must learn its id.
 */
export async function waitForRun(job: Job, waitMs: number, call: ClientCall, backend: Backend): Promise<Job> {
  const { services, stopping } = backend;
  const { requestId, traceparent, apiKeyId } = call;
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, waitMs);
  call.onceClosed(end);
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end);
  const options = { requestId, traceparent, signal: over.signal, timeoutMs: waitMs + DEADLINE_SLACK_MS };
  let latest = job;
  try {
    for await (const seen of services.runs.watchRun({ job_id: job.job_id, api_key_id: apiKeyId }, options)) {
      latest = seen.job ?? latest;
      if (isFinal(latest)) break;
    }
  } catch {
    return latest;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', end);
  }
  return latest;
}
