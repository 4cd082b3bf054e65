import { service } from 'grpc-health-check';
import { createGrpcClient, type CallOptions, type ClientOptions, type ServiceClient } from './client.ts';
import type { ServiceMethods } from './method-types.ts';

/** A client of the standard gRPC health check, which every service answers. */
export function createHealthClient(options: ClientOptions): ServiceClient<ServiceMethods> {
  return createGrpcClient(service as ServiceMethods, options);
}

/** What a process says of itself as a whole: `SERVING`, `NOT_SERVING`, … */
export async function healthStatus(
  client: ServiceClient<ServiceMethods>,
  call: CallOptions,
): Promise<string> {
  const { status } = (await client['Check']!({ service: '' }, call)) as { status: string };
  return status;
}
