import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { CallOptions, ServiceClient } from '#platform/grpc/client.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { FleetFile } from '../fleets/fleet.ts';
import { REPOSITORY } from '../repository.ts';

interface ServedService {
  definition: ServiceMethods;
  servedBy: readonly (keyof FleetFile['addresses'])[];
}

const GENERATED = path.join(REPOSITORY, 'proto/gen/saring');

/** Which services keep something about end users. */
const KEEPS_OF_END_USERS = ['consent', 'models', 'scheduler', 'screens', 'usage', 'webhooks'] as const;

/** Every gRPC service of `proto/`, and where a fleet serves it: each folder there is of one service, but for that of end users. */
export const EVERY_SERVICE: Record<string, ServedService> = Object.fromEntries(
  (await Promise.all(readdirSync(GENERATED).toSorted().map(servicesIn))).flat(),
);

async function servicesIn(folder: string): Promise<[name: string, service: ServedService][]> {
  const files = readdirSync(path.join(GENERATED, folder, 'v1')).toSorted();
  const modules = await Promise.all(
    files.map(async (file) =>
      Object.entries((await import(path.join(GENERATED, folder, 'v1', file))) as object),
    ),
  );
  return modules.flat().flatMap(([name, exported]) => {
    const service = /^(\w+Service)Service$/.exec(name)?.[1];
    if (service === undefined) return [];
    const servedBy = folder === 'end_users' ? KEEPS_OF_END_USERS : [folder as keyof FleetFile['addresses']];
    return [[service, { definition: exported as ServiceMethods, servedBy }]];
  });
}

/** The outcome of a call with an empty request: an error code, or `answered`. Leaves a stream after one message. */
export async function outcomeOfCall(
  client: ServiceClient<ServiceMethods>,
  { requestStream, requestDeserialize, responseStream }: ServiceMethods[string],
  name: string,
  options: CallOptions,
): Promise<string> {
  const request = requestDeserialize(Buffer.alloc(0)) as object;
  const call = client[name] as unknown as (request: unknown, options: CallOptions) => unknown;
  try {
    const response = call(requestStream ? nothing() : request, options);
    if (!responseStream) await response;
    else for await (const _ of response as AsyncIterable<unknown>) break;
    return 'answered';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code;
  }
}

async function* nothing(): AsyncGenerator<never> {}

/** Handlers for a service that are all the same. */
export function handledBy<S extends ServiceMethods>(definition: S, handler: () => never): Handlers<S> {
  return Object.fromEntries(Object.keys(definition).map((name) => [name, handler])) as unknown as Handlers<S>;
}
