import type {
  DatasetServiceService,
  Freshness,
  ImportOutcome,
} from '#proto/saring/market_data/v1/datasets.ts';
import type { FactServiceService } from '#proto/saring/market_data/v1/facts.ts';
import type { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import type { ModelResultServiceService } from '#proto/saring/market_data/v1/model_results.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { Clock } from '#shared/clock.ts';
import type { CursorSigner } from '#shared/cursor.ts';
import type { Call, CallContext } from '#shared/grpc/call-context.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';
import { recordable } from '#shared/text/plain-text.ts';
import type { Language } from '#shared/text/languages.ts';
import { brokerStocksOf } from './broker-responses/broker-stocks.ts';
import { brokerTimelineOf } from './broker-responses/broker-timeline.ts';
import { brokerWindowOf } from './broker-responses/broker-window.ts';
import { brokersOf } from './broker-responses/brokers.ts';
import { actionsOf } from './stock-responses/actions.ts';
import { barsOfDayOf } from './stock-responses/bars-of-day.ts';
import { compareOf } from './responses/compare.ts';
import { flowsOf } from './responses/flows.ts';
import { marketOverviewOf } from './responses/market-overview.ts';
import { negoBrokersOf, negoOf } from './responses/nego.ts';
import { negoScanOf, negoWindowOf } from './responses/nego-scan.ts';
import { quotesOf } from './responses/quotes.ts';
import { snapshotOf } from './responses/snapshot.ts';
import { resolvePicksOf } from './responses/resolve-picks.ts';
import { stockBarsOf } from './stock-responses/stock-bars.ts';
import { stocksOf } from './stock-responses/stocks.ts';
import { foldTickers } from './responses/tickers.ts';
import { universesOf, withMembers } from './responses/universes.ts';
import { turningPointOf, turningPointsOf } from './responses/turning-points.ts';
import type { MarketFreshness } from './freshness.ts';
import type { DatasetImports, ImportWork } from './import/dataset-imports.ts';
import type { Importer } from './import/importer.ts';
import { reported } from './import/progress.ts';
import { type DatasetInUse, datasetStates } from './in-memory/dataset-in-use.ts';
import type { MarketOverviews } from './in-memory/market-overviews.ts';
import type { BrokerRowsOfDay } from './in-memory/older-broker-days.ts';
import type { FactImports } from './facts/fact-imports.ts';
import type { ModelResultStore } from './model-results/model-result-store.ts';
import type { FieldCatalogue } from './screening/field-catalogue.ts';
import { fieldsOf } from './screening/listed-fields.ts';
import { stocksOfUniverse } from './screening/screened-universe.ts';
import type { Screening } from './screening/screening.ts';
import { orUnavailable } from './store/clickhouse-away.ts';
import type { DatasetStore } from './store/dataset-store.ts';

/**
 * gRPC handlers of published datasets. `ready` resolves once the store can be read. `stopping` ends open watches, so
 * that shutdown need not wait for them.
 */
export function datasetHandlers(deps: {
  imports: DatasetImports;
  importer: Pick<Importer, 'use' | 'prune'>;
  store: DatasetStore;
  ready: () => Promise<void>;
  inUse: DatasetInUse;
  freshness: Pick<MarketFreshness, 'of'>;
  clock: Clock;
  stopping: AbortSignal;
}): Handlers<DatasetServiceService> {
  const { imports, importer, store, ready, inUse, freshness, clock, stopping } = deps;
  const reporting = (call: Call, make: (work: ImportWork) => Promise<ImportOutcome>) =>
    reported((work) => orUnavailable(make({ ...work, actor: actorOf(call) })), call.signal);
  return {
    importDataset: (messages, call) => reporting(call, (work) => imports.upload(messages, work)),
    generateSample: (request, call) => reporting(call, (work) => imports.sample(request, work)),
    continueSample: (request, call) => reporting(call, (work) => imports.continueSample(request, work)),
    synthesizeBrokers: (request, call) => reporting(call, (work) => imports.synthesizeBrokers(request, work)),
    getCurrentDataset: async () => {
      const { dataset, isLoaded, lostVersion } = inUse.current();
      return {
        dataset,
        data_loaded: isLoaded,
        lost_version: lostVersion,
        freshness: dataset && freshness.of(dataset),
      };
    },
    listTradingDays: async ({ known_version }) => {
      const { isLoaded, dataset: published } = inUse.current();
      if (!published || !isLoaded) return { version: '', days: [] };
      const { dataset, panel } = await inUse.get();
      return { version: dataset.version, days: dataset.version === known_version ? [] : panel.columns.dates };
    },
    listDatasets: async () => {
      await orUnavailable(ready());
      const [datasets, served] = await orUnavailable(Promise.all([store.list(), store.served()]));
      return { datasets, served_version: served?.version ?? '' };
    },
    useDataset: async ({ version, reason }, call) => {
      const by = { actor: actorOf(call), reason: reason.trim() };
      const { dataset, before } = await orUnavailable(importer.use(version, by));
      const inMemory = inUse.current();
      const data_loaded = inMemory.isLoaded && inMemory.dataset?.version === dataset.version;
      return { dataset, version_before: before, data_loaded };
    },
    listServedDatasets: async ({ limit }) => {
      return { served: await orUnavailable(ready().then(() => store.history(limit))) };
    },
    listBrokers: ({ version }) => orUnavailable(store.brokers(version)),
    pruneDatasets: async ({ keep, stay }) => {
      const inMemory = inUse.current().dataset?.version;
      const inUseToo = inMemory === undefined ? stay : [...stay, inMemory];
      return { removed: await orUnavailable(importer.prune({ keep, stay: inUseToo })) };
    },
    watchDataset: (_request, { signal }) =>
      datasetStates({ inUse, freshness, clock }, AbortSignal.any([signal, stopping])),
    listRejectedRows: ({ version, limit }) => orUnavailable(store.rejectedRows(version, limit)),
  };
}

function inLanguage(
  { reason, reason_english, ...freshness }: Freshness,
  language: Language | undefined,
): Freshness {
  return { ...freshness, reason: language === 'en' ? reason_english : reason };
}

function actorOf({ actor = '' }: CallContext): string {
  return recordable(actor);
}

/** gRPC handlers of the market data. */
export function marketDataHandlers(deps: {
  inUse: DatasetInUse;
  overviews: MarketOverviews;
  rowsOfDay: BrokerRowsOfDay;
  cursors: CursorSigner;
  freshness: Pick<MarketFreshness, 'of'>;
  clock: Clock;
}): Handlers<MarketDataServiceService> {
  const { inUse, overviews, rowsOfDay, cursors, freshness, clock } = deps;
  return {
    getQuotes: async ({ tickers }) => {
      const folded = foldTickers(tickers);
      const loaded = await inUse.get();
      return quotesOf(loaded, withMembers(loaded, folded, 'GetQuotesRequest'));
    },
    getSnapshot: async (request) => snapshotOf(await inUse.get(), request, jakartaDay(clock())),
    compare: async ({ tickers, days }) => {
      const folded = foldTickers(tickers);
      const loaded = await inUse.get();
      const named = withMembers(loaded, folded, 'CompareRequest');
      return compareOf(loaded, { tickers: named, days }, jakartaDay(clock()));
    },
    getNego: async (request) => negoOf(await inUse.get(), request),
    scanNego: async (request) => negoScanOf(await inUse.get(), request, jakartaDay(clock()), rowsOfDay),
    scanNegoWindow: async (request) => negoWindowOf(await inUse.get(), request, jakartaDay(clock())),
    getMarketOverview: async ({ language }) => {
      const loaded = await inUse.get();
      const overview = marketOverviewOf(loaded, await overviews.of(loaded.panel), jakartaDay(clock()));
      return { ...overview, freshness: inLanguage(freshness.of(loaded.dataset), language) };
    },
    getBrokers: async (request) => brokersOf(await inUse.get(), request, jakartaDay(clock()), rowsOfDay),
    getBrokerWindow: async (request) => brokerWindowOf(await inUse.get(), request, jakartaDay(clock())),
    getBrokerTimeline: async (request) => brokerTimelineOf(await inUse.get(), request, jakartaDay(clock())),
    listBrokerStocks: async (request) => brokerStocksOf(await inUse.get(), request, jakartaDay(clock())),
    listFlows: async (request) => flowsOf(await inUse.get(), request, jakartaDay(clock())),
    getNegoBrokers: async (request) =>
      negoBrokersOf(await inUse.get(), request, jakartaDay(clock()), rowsOfDay),
    resolvePicks: async (request) => resolvePicksOf(await inUse.get(), request, jakartaDay(clock())),
    getTurningPoint: async (request) => turningPointOf(await inUse.get(), request, jakartaDay(clock())),
    listTurningPoints: async ({ tickers, lookback, language }) => {
      const folded = foldTickers(tickers);
      const loaded = await inUse.get();
      const named = withMembers(loaded, folded, 'ListTurningPointsRequest');
      return turningPointsOf(loaded, { tickers: named, lookback, language }, jakartaDay(clock()));
    },
    listStocks: async (request) => stocksOf(await inUse.get(), request, cursors),
    listBars: async (request) => stockBarsOf(await inUse.get(), request, cursors, jakartaDay(clock())),
    listActions: async (request) => actionsOf(await inUse.get(), request, cursors),
    listUniverses: async (request) => universesOf(await inUse.get(), request),
    listBarsOfDay: async (request) => barsOfDayOf(await inUse.get(), request, cursors, jakartaDay(clock())),
  };
}

/** gRPC handlers of the fields of stocks, and of screens by rules on them. */
export function fieldHandlers(deps: {
  inUse: DatasetInUse;
  screening: Screening;
  fieldCatalogue: Pick<FieldCatalogue, 'newest'>;
}): Handlers<FieldServiceService> {
  const { inUse, screening, fieldCatalogue } = deps;
  return {
    listFields: async ({ language }) =>
      fieldsOf(await inUse.get(), await fieldCatalogue.newest(), language ?? 'id'),
    listFieldValues: (request) => screening.values(request),
    screenStocks: (request) => screening.screen(request),
    listScreenedStocks: async (request) => stocksOfUniverse(await inUse.get(), request),
    explainStock: (request) => screening.explain(request),
    judgeScreen: (request) => screening.judge(request),
    listPastMembers: (request) => screening.pastMembers(request),
    followScreens: (request) => screening.follow(request),
  };
}

/** gRPC handlers of the facts that the operator imports. `ready` resolves once the store can be read. */
export function factHandlers({
  facts,
  ready,
}: {
  facts: FactImports;
  ready: () => Promise<void>;
}): Handlers<FactServiceService> {
  return {
    importFacts: (messages, call) =>
      reported(
        (work) => orUnavailable(facts.upload(messages, { ...work, actor: actorOf(call) })),
        call.signal,
      ),
    listFacts: async () => ({ facts: await orUnavailable(ready().then(() => facts.list())) }),
    removeFact: async ({ name }) => ({ removed: await orUnavailable(facts.remove(name)) }),
  };
}

/** gRPC handlers of the daily results of models. `ready` resolves once the store can be written. */
export function modelResultHandlers(deps: {
  modelResults: Pick<ModelResultStore, 'store'>;
  fieldCatalogue: Pick<FieldCatalogue, 'newest'>;
  ready: () => Promise<void>;
  clock: Clock;
}): Handlers<ModelResultServiceService> {
  const { modelResults, fieldCatalogue, ready, clock } = deps;
  return {
    storeModelResult: async (result) => {
      await orUnavailable(ready().then(() => modelResults.store(result, clock())));
      await fieldCatalogue.newest();
      return {};
    },
  };
}
