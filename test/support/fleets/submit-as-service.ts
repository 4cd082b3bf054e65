import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RunsServiceService, type SubmitRunRequest } from '#proto/saring/models/v1/runs.ts';
import { createGrpcClient } from '#shared/grpc/client.ts';
import type { FleetFile } from './fleet.ts';
import { identityOf, NO_TLS } from '../processes/service-process.ts';

/** Submits a run past the gateway, as the scheduler or a chat service does, and returns its job id. */
export async function submitAsService(
  stateDir: string,
  caller: Pick<SubmitRunRequest, 'api_key_id' | 'end_user' | 'channel' | 'actor'>,
): Promise<string> {
  const file = JSON.parse(await readFile(path.join(stateDir, 'fleet.json'), 'utf8')) as FleetFile;
  const client = createGrpcClient(RunsServiceService, {
    address: file.addresses.models,
    unavailableCode: 'model_unavailable',
    timeoutMs: 5_000,
    tls: NO_TLS,
    identity: identityOf('gateway', file.gateway_tokens.models),
  });
  try {
    const run = { model_id: 'confluence_filter', params: undefined, view: 'full', ...caller };
    return (await client.submitRun(run, { requestId: 'req_0123456789abcdef01234567' })).job!.job_id;
  } finally {
    client.close();
  }
}
