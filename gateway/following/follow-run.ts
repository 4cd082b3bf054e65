import type { Job } from '#proto/saring/models/v1/runs.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { pause } from '#platform/process/waiting.ts';
import type { ClientCall } from '../request/client-call.ts';
import type { Services } from '../backend/services.ts';
import type { Backend } from '../backend/backend.ts';

/** A handle on a run that is being followed. */
interface Followed {
  /** Aborted when the caller no longer waits: the call is over, the gateway stops, or `end` was called. */
  signal: AbortSignal;
  end: () => void;
}

/** Follows for as long as the client waits. The caller must call `end` when it is done. */
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
 * Yields a run of the calling key as it is now and at every change of its status, until it is final.
 * @throws ServiceError job_not_found, or model_unavailable, which also means that the request or `timeoutMs` is over.
 */
async function* watchRun(
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

export function isFinal({ status }: Job): boolean {
  return status !== 'queued' && status !== 'running';
}

/** The stream's deadline is later than the wait, so that the wait ends it and not an error. */
const DEADLINE_SLACK_MS = 5_000;

/**
 * Watches an accepted run until it is final, `waitMs` have passed, the client has gone or the gateway stops. Returns
 * the job as last seen and never throws: the run was accepted, and the client must learn its id.
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

interface FollowTimes {
  /** A watch is restarted after this time, because a watch whose other side has gone silent would hang for ever. */
  watchMs: number;
  /** Wait before the next watch. */
  pauseMs: number;
  /** Following ends when no watch has reported anything for this long. */
  giveUpMs: number;
}

export const FOLLOW_TIMES: FollowTimes = { watchMs: 20_000, pauseMs: 500, giveUpMs: 60_000 };

/**
 * Yields the run at each change of its status after `seen`, up to its final state. Ends earlier when the call is
 * over, the gateway stops, the job no longer exists, or the models service stays unavailable. Never throws.
 */
export async function* followRun(
  seen: Job,
  call: ClientCall,
  { services, stopping }: Pick<Backend, 'services' | 'stopping'>,
  times = FOLLOW_TIMES,
): AsyncGenerator<Job> {
  const { signal, end } = followedUntilOver(call, stopping);
  let latest = seen;
  let heardAtMs = performance.now();
  try {
    while (!isFinal(latest) && !signal.aborted && performance.now() - heardAtMs < times.giveUpMs) {
      try {
        for await (const job of watchRun(seen.job_id, call, services, { signal, timeoutMs: times.watchMs })) {
          heardAtMs = performance.now();
          if (job.status !== latest.status) yield (latest = job);
          if (isFinal(job)) return;
        }
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'model_unavailable')) return;
      }
      await pause(times.pauseMs, signal);
    }
  } finally {
    end();
  }
}
