import type { Job } from '#proto/saring/models/v1/runs.ts';
import type { ClientCall } from '../routing/client-call.ts';
import type { Services } from '../services.ts';
import type { Backend } from '../backend.ts';

/** A request to follow a run. */
interface Followed {
  /** Fires when the caller no longer waits: the call is over, the gateway stops, or it was ended. */
  signal: AbortSignal;
  end: () => void;
}

/** For as long as a client waits; the caller must end it when it is done. */
export function followedUntilOver(call: ClientCall, stopping: AbortSignal): Followed {
  const over = new AbortController();
  const end = () => {
    stopping.removeEventListener('abort', end);
    over.abort();
  };
  call.onceOver(end);
  if (stopping.aborted) end();
  else stopping.addEventListener('abort', end);
  return { signal: over.signal, end };
}

/**
 * A run of the calling key as it stands and at every change of its status, until it is final.
 * @throws ServiceError job_not_found, or model_unavailable also when the request or `timeoutMs` is over.
 */
export async function* watchRun(
  jobId: string,
  { requestId, traceparent, apiKeyId }: ClientCall,
  { runs }: Pick<Services, 'runs'>,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): AsyncGenerator<Job> {
  const request = { job_id: jobId, api_key_id: apiKeyId };
  for await (const { job } of runs.watchRun(request, { requestId, traceparent, signal, timeoutMs })) {
    if (job) yield job;
  }
}

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
  const { signal, end } = followedUntilOver(call, stopping);
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
