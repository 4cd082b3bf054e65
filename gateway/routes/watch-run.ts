import type { Job } from '#proto/saring/models/v1/runs.ts';
import type { ClientCall } from '../routing/client-call.ts';
import type { Services } from '../services.ts';

/** A request to follow a run. */
export interface Wish {
  /** Fires when the caller no longer waits: the call is over, the gateway stops, or it was ended. */
  signal: AbortSignal;
  end: () => void;
}

/** The request of a client, which its owner must end when it is fulfilled. */
export function wishOf(call: ClientCall, stopping: AbortSignal): Wish {
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
