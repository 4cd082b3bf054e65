import { userInfo } from 'node:os';
import { EndUserDataServiceService } from '#proto/saring/end_users/v1/end_users.ts';
import { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FactServiceService } from '#proto/saring/market_data/v1/facts.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import { createGrpcClient, type ServiceClient } from '#platform/grpc/client.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import { loadConfig } from '#platform/configuration/config.ts';
import { randomId } from '#foundation/ids.ts';
import { grpcTlsSettings } from '#platform/configuration/settings.ts';
import { findFleet, type FleetAccess } from './fleet-access.ts';

const CALL_TIMEOUT_MS = 10_000;

/** What a command works with: typed clients of the fleet's services, and the context of its calls. */
export interface OperatorSession {
  keys: ServiceClient<typeof KeysServiceService>;
  datasets: ServiceClient<typeof DatasetServiceService>;
  facts: ServiceClient<typeof FactServiceService>;
  catalogue: ServiceClient<typeof CatalogueServiceService>;
  record: ServiceClient<typeof RecordServiceService>;
  runs: ServiceClient<typeof RunsServiceService>;
  usage: ServiceClient<typeof UsageServiceService>;
  scheduler: ServiceClient<typeof SchedulerServiceService>;
  feed: ServiceClient<typeof FeedServiceService>;
  webhooks: ServiceClient<typeof WebhooksServiceService>;
  /** The services that store something about end users. */
  endUserData: Record<KeepOfEndUsers, ServiceClient<typeof EndUserDataServiceService>>;
  call: CallContext;
  /** The base URL of the REST API, if known. */
  baseUrl: string | undefined;
}

/**
 * The services that store something about end users, in the order in which it is erased: first what could start a run, last what reports
 * that runs were cancelled.
 */
const KEEPS_OF_END_USERS = ['scheduler', 'screens', 'models', 'consent', 'usage', 'webhooks'] as const;
type KeepOfEndUsers = (typeof KEEPS_OF_END_USERS)[number];

/** Runs a command's work against a fleet, usually the one that is found, and closes its connections afterwards. */
export async function withFleet<T>(
  work: (session: OperatorSession) => Promise<T>,
  { addresses, operatorToken, baseUrl }: FleetAccess = findFleet(),
): Promise<T> {
  const common = {
    unavailableCode: 'data_unavailable',
    timeoutMs: CALL_TIMEOUT_MS,
    tls: loadConfig(grpcTlsSettings),
  } as const;
  const { keys, market_data, models, usage, scheduler, feed, webhooks } = addresses;
  const clients = {
    keys: createGrpcClient(KeysServiceService, { ...common, address: keys }),
    datasets: createGrpcClient(DatasetServiceService, { ...common, address: market_data }),
    facts: createGrpcClient(FactServiceService, { ...common, address: market_data }),
    catalogue: createGrpcClient(CatalogueServiceService, { ...common, address: models }),
    record: createGrpcClient(RecordServiceService, { ...common, address: models }),
    runs: createGrpcClient(RunsServiceService, { ...common, address: models }),
    usage: createGrpcClient(UsageServiceService, { ...common, address: usage }),
    scheduler: createGrpcClient(SchedulerServiceService, { ...common, address: scheduler }),
    feed: createGrpcClient(FeedServiceService, { ...common, address: feed }),
    webhooks: createGrpcClient(WebhooksServiceService, { ...common, address: webhooks }),
  };
  const endUserData = Object.fromEntries(
    KEEPS_OF_END_USERS.map((name) => [
      name,
      createGrpcClient(EndUserDataServiceService, { ...common, address: addresses[name] }),
    ]),
  ) as OperatorSession['endUserData'];
  const call = { requestId: randomId('req'), operatorToken, actor: loginName() };
  try {
    return await work({ ...clients, endUserData, call, baseUrl });
  } finally {
    for (const client of [...Object.values(clients), ...Object.values(endUserData)]) client.close();
  }
}

/** The name of the user who runs the command. In containers a user id often has no name. */
export function loginName(user: () => { username: string } = userInfo): string {
  try {
    return user().username;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
    return `uid:${process.getuid?.()}`;
  }
}
