import type { RunArtefact } from '#proto/saring/events/v1/runs.ts';
import { RESULT_RETENTION_MS } from '#shared/nats/streams.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { LiveTier } from './live-tier.ts';
import { isFinal } from './run-states.ts';
import type { RunRow } from './store/run-store.ts';

const KEPT =
  `A model is kept as long as its result, ${RESULT_RETENTION_MS / 1_000} seconds at most; ` +
  'a run that learns nothing has none.';

/**
 * What a run has learnt.
 * @throws ServiceError not_found, saying why, when there is nothing; model_unavailable when that cannot be told now.
 */
export async function modelOfRun(run: RunRow, live: LiveTier): Promise<RunArtefact> {
  if (!isFinal(run.status)) throw new ServiceError('not_found', 'This job has not ended yet.');
  if (run.status !== 'succeeded') {
    throw new ServiceError('not_found', `This job is ${run.status}, so there is no model of it.`);
  }
  const artefact = await live.artefact(run.job_id);
  if (!artefact) throw new ServiceError('not_found', `There is no model of this job. ${KEPT}`);
  return artefact;
}
