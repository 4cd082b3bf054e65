import type {
  DatasetServiceService,
  Freshness,
  ImportOutcome,
} from '#proto/saring/market_data/v1/datasets.ts';
import type { FactServiceService } from '#proto/saring/market_data/v1/facts.ts';
import type { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import type { ModelResultServiceService } from '#proto/saring/market_data/v1/model_results.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { TEST_MARKET } from '#foundation/test-market.ts';
import type { Clock } from '#foundation/clock.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import type { Call, CallContext } from '#platform/grpc/call-context.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { recordable } from '#platform/wire/plain-text.ts';
import type { Language } from '#foundation/text/languages.ts';
import { brokerStocksOf } from './broker-responses/broker-stocks.ts';
import { brokerTimelineOf } from './broker-responses/broker-timeline.ts';
import { brokerWindowOf } from './broker-responses/broker-window.ts';
import { brokersOf } from './broker-responses/brokers.ts';
import { actionsOf } from './stock-responses/actions.ts';
import { barsOfDayOf } from './stock-responses/bars-of-day.ts';
import { compareOf } from './stock-responses/compare.ts';
import { flowsOf } from './responses/flows.ts';
import { marketOverviewOf, quotesOf } from './responses/market-overview.ts';
import { negoBrokersOf, negoOf } from './broker-responses/nego.ts';
import { negoScanOf, negoWindowOf } from './responses/nego-scan.ts';
import { snapshotOf } from './stock-responses/snapshot.ts';
import { resolvePicksOf } from './responses/resolve-picks.ts';
import type { ReadBarSources } from './stock-responses/bar-sources.ts';
import { stockBarsOf, withSources } from './stock-responses/stock-bars.ts';
import { stocksOf } from './stock-responses/stocks.ts';
import { foldTickers } from './responses/tickers.ts';
import { universesOf, withMembers } from './responses/universes.ts';
import { turningPointOf, turningPointsOf } from './responses/turning-points.ts';
import type { DatasetImports, ImportWork } from './import/dataset-imports.ts';
import type { Importer } from './import/importer.ts';
import { reported } from './import/request/progress.ts';
import { type DatasetInUse, datasetStates } from './in-memory/dataset-in-use.ts';
import type { AnsweringMarket, MarketOfCall } from './markets/answering-market.ts';
import type { BrokerRowsOfDay } from './in-memory/older-broker-days.ts';
import type { FactImports } from './facts/fact-imports.ts';
import type { ModelResultStore } from './model-results/model-result-store.ts';
import type { FieldCatalogue } from './screening/field-catalogue.ts';
import { fieldsOf } from './screening/listed-fields.ts';
import { stocksOfUniverse } from './screening/screened-universe.ts';
import { orUnavailable } from './store/clickhouse-unavailable.ts';
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
  marketOf: MarketOfCall;
  stopping: AbortSignal;
}): Handlers<DatasetServiceService> {
  const { imports, importer, store, ready, inUse, marketOf, stopping } = deps;
  /** What the store has. Before its tables are made or migrated, a read would find none. */
  const stored = <T>(read: () => Promise<T>) => orUnavailable(ready().then(read));
  const reporting = (call: Call, make: (work: ImportWork) => Promise<ImportOutcome>) =>
    reported((work) => orUnavailable(make({ ...work, actor: actorOf(call) })), call.signal);
  return {
    importDataset: (messages, call) => reporting(call, (work) => imports.upload(messages, work)),
    generateSample: (request, call) => reporting(call, (work) => imports.sample(request, work)),
    continueSample: (request, call) => reporting(call, (work) => imports.continueSample(request, work)),
    synthesizeBrokers: (request, call) => reporting(call, (work) => imports.synthesizeBrokers(request, work)),
    acceptDay: (request, call) => reporting(call, (work) => imports.acceptDay(request, work)),
    getCurrentDataset: async (_request, call) => {
      const { inUse: answering, freshness } = marketOf(call);
      const { dataset, isLoaded, lostVersion } = answering.current();
      return {
        dataset,
        data_loaded: isLoaded,
        lost_version: lostVersion,
        freshness: dataset && freshness.of(dataset),
      };
    },
    listTradingDays: async ({ known_version }, call) => {
      const { inUse: answering } = marketOf(call);
      // The test market is made when it is first asked for.
      const isThere = call.market === TEST_MARKET || answering.current().isLoaded;
      if (!isThere) return { version: '', days: [] };
      const { dataset, panel } = await answering.get();
      return { version: dataset.version, days: dataset.version === known_version ? [] : panel.columns.dates };
    },
    listDatasets: async () => {
      const [datasets, served] = await stored(() => Promise.all([store.list(), store.served()]));
      // A market of few days a year lacks thousands. Of a thousand versions they would be too much for an answer.
      const listed = datasets.map((dataset) => ({ ...dataset, missing_days: [] }));
      return { datasets: listed, served_version: served?.version ?? '' };
    },
    useDataset: async ({ version, reason }, call) => {
      const by = { actor: actorOf(call), reason: reason.trim() };
      const { dataset, before } = await orUnavailable(importer.use(version, by));
      const inMemory = inUse.current();
      const data_loaded = inMemory.isLoaded && inMemory.dataset?.version === dataset.version;
      return { dataset, version_before: before, data_loaded };
    },
    listServedDatasets: async ({ limit }) => {
      return { served: await stored(() => store.history(limit)) };
    },
    listBrokers: ({ version }) => stored(() => store.brokers(version)),
    pruneDatasets: async ({ keep, stay }) => {
      const inMemory = inUse.current().dataset?.version;
      const inUseToo = inMemory === undefined ? stay : [...stay, inMemory];
      return { removed: await orUnavailable(importer.prune({ keep, stay: inUseToo })) };
    },
    watchDataset: (_request, call) => datasetStates(marketOf(call), AbortSignal.any([call.signal, stopping])),
    listRejectedRows: ({ version, limit }) => stored(() => store.rejectedRows(version, limit)),
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

export function marketDataHandlers(deps: {
  marketOf: (call: Call) => Omit<AnsweringMarket, 'screening' | 'fieldCatalogue'>;
  rowsOfDay: BrokerRowsOfDay;
  barSources: ReadBarSources;
  cursors: CursorSigner;
}): Handlers<MarketDataServiceService> {
  const { marketOf, rowsOfDay, barSources, cursors } = deps;
  const loadedFor = (call: Call) => marketOf(call).inUse.get();
  const todayOf = (call: Call) => jakartaDay(marketOf(call).clock());
  return {
    getQuotes: async ({ tickers }, call) => {
      const folded = foldTickers(tickers);
      const loaded = await loadedFor(call);
      return quotesOf(loaded, withMembers(loaded, folded, 'GetQuotesRequest'));
    },
    getSnapshot: async (request, call) => snapshotOf(await loadedFor(call), request, todayOf(call)),
    compare: async ({ tickers, days }, call) => {
      const folded = foldTickers(tickers);
      const loaded = await loadedFor(call);
      const named = withMembers(loaded, folded, 'CompareRequest');
      return compareOf(loaded, { tickers: named, days }, todayOf(call));
    },
    getNego: async (request, call) => negoOf(await loadedFor(call), request),
    scanNego: async (request, call) => negoScanOf(await loadedFor(call), request, todayOf(call), rowsOfDay),
    scanNegoWindow: async (request, call) => negoWindowOf(await loadedFor(call), request, todayOf(call)),
    getMarketOverview: async ({ language }, call) => {
      const { overviews, freshness } = marketOf(call);
      const loaded = await loadedFor(call);
      const overview = marketOverviewOf(loaded, await overviews.of(loaded.panel), todayOf(call));
      return { ...overview, freshness: inLanguage(freshness.of(loaded.dataset), language) };
    },
    getBrokers: async (request, call) => brokersOf(await loadedFor(call), request, todayOf(call), rowsOfDay),
    getBrokerWindow: async (request, call) => brokerWindowOf(await loadedFor(call), request, todayOf(call)),
    getBrokerTimeline: async (request, call) =>
      brokerTimelineOf(await loadedFor(call), request, todayOf(call)),
    listBrokerStocks: async (request, call) => brokerStocksOf(await loadedFor(call), request, todayOf(call)),
    listFlows: async (request, call) => flowsOf(await loadedFor(call), request, todayOf(call)),
    getNegoBrokers: async (request, call) =>
      negoBrokersOf(await loadedFor(call), request, todayOf(call), rowsOfDay),
    resolvePicks: async (request, call) => resolvePicksOf(await loadedFor(call), request, todayOf(call)),
    getTurningPoint: async (request, call) => turningPointOf(await loadedFor(call), request, todayOf(call)),
    listTurningPoints: async ({ tickers, lookback, language }, call) => {
      const folded = foldTickers(tickers);
      const loaded = await loadedFor(call);
      const named = withMembers(loaded, folded, 'ListTurningPointsRequest');
      return turningPointsOf(loaded, { tickers: named, lookback, language }, todayOf(call));
    },
    listStocks: async (request, call) => stocksOf(await loadedFor(call), request, cursors),
    listBars: async (request, call) => {
      const page = stockBarsOf(await loadedFor(call), request, cursors, todayOf(call));
      return request.sources ? withSources(page, barSources) : page;
    },
    listActions: async (request, call) => actionsOf(await loadedFor(call), request, cursors),
    listUniverses: async (request, call) => universesOf(await loadedFor(call), request),
    listBarsOfDay: async (request, call) =>
      barsOfDayOf(await loadedFor(call), request, cursors, todayOf(call)),
  };
}

/** gRPC handlers of the fields of stocks, and of screens by rules on them. */
export function fieldHandlers({ marketOf }: { marketOf: MarketOfCall }): Handlers<FieldServiceService> {
  return {
    listFields: async ({ language }, call) => {
      const { inUse, fieldCatalogue } = marketOf(call);
      return fieldsOf(await inUse.get(), await fieldCatalogue.newest(), language ?? 'id');
    },
    listFieldValues: (request, call) => marketOf(call).screening.values(request, call),
    screenStocks: (request, call) => marketOf(call).screening.screen(request, call),
    listScreenedStocks: async (request, call) => stocksOfUniverse(await marketOf(call).inUse.get(), request),
    explainStock: (request, call) => marketOf(call).screening.explain(request, call),
    judgeScreen: (request, call) => marketOf(call).screening.judge(request, call),
    listPastMembers: (request, call) => marketOf(call).screening.pastMembers(request, call),
    followScreens: (request, call) => marketOf(call).screening.follow(request, call.signal),
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
