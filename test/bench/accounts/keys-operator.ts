import type { CallContext } from '#shared/grpc/call-context.ts';
import type { FleetFile } from '#support/fleets/fleet.ts';
import { identityOf, keysClient } from '#support/processes/service-process.ts';

/** Calls a fleet's keys service as `saring keys` does, without the start of a process each time. */
export interface KeysOperator {
  client: ReturnType<typeof keysClient>;
  call: CallContext;
}

export function keysOperator({ addresses, operator_token, gateway_tokens }: FleetFile): KeysOperator {
  const call = { requestId: 'req_bench', operatorToken: operator_token, actor: 'bench' };
  const identity = identityOf('gateway', gateway_tokens.keys);
  return { client: keysClient(addresses.keys, identity), call };
}

export interface IssuedKey {
  id: string;
  secret: string;
}

/** Keys that reads may use as often as they like. */
export async function issueKeys({ client, call }: KeysOperator, count: number): Promise<IssuedKey[]> {
  const request = {
    scopes: ['data:read'],
    rate_limit_per_minute: 1_000_000,
    expires_at: undefined,
    labels: {},
  };
  const issue = async (_: unknown, index: number): Promise<IssuedKey> => {
    const { api_key, secret } = await client.createKey({ ...request, name: `bench ${index}` }, call);
    return { id: api_key!.id, secret };
  };
  return Promise.all(Array.from({ length: count }, issue));
}
