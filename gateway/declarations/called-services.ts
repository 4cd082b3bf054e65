import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';

/** The services behind the gateway, by their names in the health answer. */
export const SERVICE_NAMES = [
  'keys',
  'market_data',
  'models',
  'usage',
  'consent',
  'screens',
  'webhooks',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Services that a gateway need not know. They are called only for the operator. */
export const OPTIONAL_SERVICES = ['scheduler', 'feed'] as const;
export type OptionalService = (typeof OPTIONAL_SERVICES)[number];

/** The gRPC services that the gateway calls, under the names of their clients. */
export const CALLED = {
  keys: calledAt('KEYS_ADDRESS', KeysServiceService, 'data_unavailable', 'KEYS_TOKEN'),
  datasets: calledAt('MARKET_DATA_ADDRESS', DatasetServiceService, 'data_unavailable'),
  marketData: calledAt('MARKET_DATA_ADDRESS', MarketDataServiceService, 'data_unavailable'),
  fields: calledAt('MARKET_DATA_ADDRESS', FieldServiceService, 'data_unavailable', 'MARKET_DATA_TOKEN'),
  catalogue: calledAt('MODELS_ADDRESS', CatalogueServiceService, 'model_unavailable'),
  record: calledAt('MODELS_ADDRESS', RecordServiceService, 'model_unavailable', 'MODELS_TOKEN'),
  runs: calledAt('MODELS_ADDRESS', RunsServiceService, 'model_unavailable', 'MODELS_TOKEN'),
  backfills: calledAt('MODELS_ADDRESS', BackfillsServiceService, 'model_unavailable', 'MODELS_TOKEN'),
  usage: calledAt('USAGE_ADDRESS', UsageServiceService, 'usage_unavailable', 'USAGE_TOKEN'),
  consent: calledAt('CONSENT_ADDRESS', ConsentServiceService, 'consent_unavailable', 'CONSENT_TOKEN'),
  screens: calledAt('SCREENS_ADDRESS', ScreensServiceService, 'data_unavailable', 'SCREENS_TOKEN'),
  watchlists: calledAt('SCREENS_ADDRESS', WatchlistsServiceService, 'data_unavailable', 'SCREENS_TOKEN'),
  events: calledAt('WEBHOOKS_ADDRESS', EventsServiceService, 'data_unavailable', 'WEBHOOKS_TOKEN'),
  webhooks: calledAt('WEBHOOKS_ADDRESS', WebhooksServiceService, 'data_unavailable', 'WEBHOOKS_TOKEN'),
  scheduler: calledAt('SCHEDULER_ADDRESS', SchedulerServiceService, 'data_unavailable'),
  feed: calledAt('FEED_ADDRESS', FeedServiceService, 'data_unavailable'),
};

type AuthenticatedService = 'CONSENT' | 'KEYS' | 'MARKET_DATA' | 'MODELS' | 'SCREENS' | 'USAGE' | 'WEBHOOKS';
type AddressSetting = `${AuthenticatedService | 'SCHEDULER' | 'FEED'}_ADDRESS`;
type TokenSetting = `${AuthenticatedService}_TOKEN`;
/** The settings that say where the services are, and by which tokens they know the gateway. */
export type ServiceSettings = Record<AddressSetting | TokenSetting, string>;

export interface CalledService<S extends ServiceMethods> {
  address: AddressSetting;
  definition: S;
  /** The code of a call that does not reach the service. */
  unavailableCode: ErrorCode;
  /** The setting with the gateway's token; undefined where no call of the gateway needs one. */
  token: TokenSetting | undefined;
}

function calledAt<S extends ServiceMethods>(
  address: AddressSetting,
  definition: S,
  unavailableCode: ErrorCode,
  token?: TokenSetting,
): CalledService<S> {
  return { address, definition, unavailableCode, token };
}
