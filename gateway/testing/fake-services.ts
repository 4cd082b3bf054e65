import { once } from 'node:events';
import { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import { DatasetServiceService, type Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import { UsageServiceService, type ListEventsRequest } from '#proto/saring/usage/v1/usage.ts';
import { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { healthNameOf, RUN_PARTS } from '#shared/runs/run-parts.ts';
import { quietServer } from '#support/processes/service-process.ts';
import { fakeFeed } from './fake-feed.ts';
import { fakeKeys } from './fake-keys.ts';
import { fakeMarketData } from './fake-market-data.ts';
import { fakeCatalogue, fakeRuns, type FakeRuns } from './fake-models.ts';
import { fakeScheduler } from './fake-scheduler.ts';
import { answeringByExample, exampleNamed } from '#support/message-examples.ts';

/** The requests that the fakes received, and how they must behave. */
export interface Fakes extends FakeRuns {
  address: string;
  /** Secrets that the gateway looked up. */
  lookedUp: string[];
  /** Requests for the events of a key. */
  listed: ListEventsRequest[];
  stop: () => Promise<void>;
}

/** Handlers of a test that replace those of the fakes. */
export interface OwnHandlers {
  datasets?: Partial<Handlers<DatasetServiceService>>;
  marketData?: Partial<Handlers<MarketDataServiceService>>;
  screens?: Partial<Handlers<ScreensServiceService>>;
}

/**
 * Real gRPC servers of this project. They answer with the examples of their messages, and have the least behaviour besides that the
 * gateway's tests need.
 */
export async function startFakes(own: OwnHandlers = {}): Promise<Fakes> {
  const server = quietServer();
  const fakes: Fakes = {
    address: '',
    lookedUp: [],
    submitted: [],
    listed: [],
    runTakesMs: 0,
    watched: new Set(),
    unwatched: new Set(),
    stop: () => server.stop(),
  };
  server
    .add(ConsentServiceService, answeringByExample(ConsentServiceService))
    .add(KeysServiceService, fakeKeys(fakes))
    .add(DatasetServiceService, { ...datasets, ...own.datasets })
    .add(MarketDataServiceService, { ...fakeMarketData, ...own.marketData })
    .add(FieldServiceService, answeringByExample(FieldServiceService))
    .add(CatalogueServiceService, fakeCatalogue)
    .add(RecordServiceService, answeringByExample(RecordServiceService))
    .add(RunsServiceService, fakeRuns(fakes))
    .add(BackfillsServiceService, answeringByExample(BackfillsServiceService))
    .add(SchedulerServiceService, fakeScheduler)
    .add(ScreensServiceService, { ...screens, ...own.screens })
    .add(WatchlistsServiceService, answeringByExample(WatchlistsServiceService))
    .add(EventsServiceService, answeringByExample(EventsServiceService))
    .add(WebhooksServiceService, answeringByExample(WebhooksServiceService))
    .add(FeedServiceService, fakeFeed)
    .add(UsageServiceService, {
      ...usage,
      listEvents: async (request, call) => {
        fakes.listed.push(request);
        return usage.listEvents(request, call);
      },
    });
  for (const part of RUN_PARTS) server.reportPart(healthNameOf(part), true);
  fakes.address = `127.0.0.1:${await server.listen()}`;
  return fakes;
}

/** The version that is served. */
export const SERVED_DATASET: Dataset = {
  ...exampleNamed<Dataset>('market_data.v1.Dataset'),
  kind: 'synthetic',
};

const datasets: Handlers<DatasetServiceService> = {
  ...answeringByExample(DatasetServiceService),
  watchDataset: async function* (_request, { signal }) {
    yield { version: '', today: '2024-06-28' };
    await once(signal, 'abort');
  },
  getCurrentDataset: async () => ({
    data_loaded: true,
    lost_version: '',
    dataset: SERVED_DATASET,
  }),
};

const usage = answeringByExample(UsageServiceService);

const screens: Handlers<ScreensServiceService> = {
  ...answeringByExample(ScreensServiceService),
  // JSON within a message has no example.
  listFieldValues: async () => ({
    result: {
      as_of: '2024-05-31',
      tickers: ['BBCA', 'BBRI'],
      values_json: Buffer.from('{"close":[9250,null]}'),
      broker_data: 'none',
      dataset_version: 'synthetic-1',
    },
  }),
};
