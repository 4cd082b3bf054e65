import { RunsServiceService, type SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import { fleetFileIn } from './fleet.ts';
import { clientOf, identityOf } from '../processes/service-process.ts';

/** Submits a run without the gateway, as the scheduler or a chat service does. Returns its job id. */
export async function submitAsService(
  stateDir: string,
  caller: Pick<SubmitRunRequest, 'api_key_id' | 'end_user' | 'channel' | 'actor'>,
): Promise<string> {
  const { addresses, gateway_tokens } = await fleetFileIn(stateDir);
  const identity = identityOf('gateway', gateway_tokens.models);
  const client = clientOf(RunsServiceService, addresses.models, {
    identity,
    unavailableCode: 'model_unavailable',
    timeoutMs: 5_000,
  });
  try {
    const run = { model_id: 'confluence_filter', params: undefined, view: 'full', ...caller };
    return (await client.submitRun(run, { requestId: 'req_0123456789abcdef01234567' })).job!.job_id;
  } finally {
    client.close();
  }
}
