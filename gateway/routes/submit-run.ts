import type { Job } from '#proto/saring/models/v1/runs.ts';
import type { Backend } from '../backend/backend.ts';
import { JsonResponse } from '../responses/send-json.ts';
import type { ClientCall } from '../request/client-call.ts';
import { isFinal } from '../following/follow-run.ts';
import { renderJob } from './render-job.ts';

interface RequestedRun {
  model_id: string;
  view: string;
  params: Record<string, unknown> | undefined;
}

/** A run that the models service has accepted. */
interface Submitted {
  job: Job;
  /** Whether an earlier request with the same Idempotency-Key started it. */
  isReplay: boolean;
}

/** Submits a run of a model for the caller. */
export async function submitRun(
  run: RequestedRun,
  call: ClientCall,
  { services }: Backend,
): Promise<Submitted> {
  const { job, replayed: isReplay } = await services.runs.submitRun(
    {
      ...run,
      api_key_id: call.apiKeyId,
      end_user: call.endUser,
      channel: 'api',
      idempotency_key: call.idempotencyKey,
    },
    call,
  );
  if (!job) throw new Error('the models service accepted a run without saying which');
  return { job, isReplay };
}

/** 202 with the job, without a result. */
export function accepted({ job, isReplay }: Submitted, call: ClientCall, { dataset }: Backend): JsonResponse {
  const shown = isFinal(job) ? job : { ...job, duration_seconds: 0 };
  return new JsonResponse(202, renderJob(shown, call.language, dataset), { isReplay });
}
