import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { CallOptions, ServiceClient } from '#shared/grpc/client.ts';
import type { ServiceMethods } from '#shared/grpc/method-types.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { FleetFile } from './fleet.ts';

/** Every gRPC service, and where a fleet serves it. */
export const EVERY_SERVICE: Record<
  string,
  { definition: ServiceMethods; servedBy: keyof FleetFile['addresses'] }
> = {
  ConsentService: { definition: ConsentServiceService, servedBy: 'consent' },
  KeysService: { definition: KeysServiceService, servedBy: 'keys' },
  DatasetService: { definition: DatasetServiceService, servedBy: 'market_data' },
  MarketDataService: { definition: MarketDataServiceService, servedBy: 'market_data' },
  BackfillsService: { definition: BackfillsServiceService, servedBy: 'models' },
  CatalogueService: { definition: CatalogueServiceService, servedBy: 'models' },
  RecordService: { definition: RecordServiceService, servedBy: 'models' },
  RunsService: { definition: RunsServiceService, servedBy: 'models' },
  SchedulerService: { definition: SchedulerServiceService, servedBy: 'scheduler' },
  UsageService: { definition: UsageServiceService, servedBy: 'usage' },
};

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
    const answer = call(requestStream ? nothing() : request, options);
    if (!responseStream) await answer;
    else for await (const _ of answer as AsyncIterable<unknown>) break;
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
