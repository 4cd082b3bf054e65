import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadedOf, rowsInMemory } from '#services/market-data/in-memory/loaded-fixture.ts';
import { marketDataHandlers } from '#services/market-data/server.ts';
import { CanaryResults } from '#services/models/health/canary.ts';
import { Runs } from '#services/models/runs/runs.ts';
import { catalogueHandlers, runsHandlers } from '#services/models/server.ts';
import { CursorSigner } from '#platform/paging/cursor.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { clientOf, identityOf, quietServer } from '../support/processes/service-process.ts';

/** Texts with characters that confuse encoders, of every length around those at which echoes are cut. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', '%', '"', '\n', '\0', 'é', '😀'), maxLength: 200 }),
);
const call = { requestId: 'req_test' };
const server = quietServer();
let runs: ServiceClient<RunsServiceService>;
let catalogue: ServiceClient<CatalogueServiceService>;
let marketData: ServiceClient<MarketDataServiceService>;

beforeAll(async () => {
  const panel = panelOf([{ ticker: 'AAAA', date: '2024-01-02', close: 100 }]);
  const inUse = { get: async () => loadedOf(panel) } as never;
  // Requests are refused for their text before they reach a store, so no store is needed.
  const without = { jobs: {} as never, live: {} as never };
  const dates = { tradingDays: { areKnownWithin: async () => true } };
  const port = await server
    .add(
      CatalogueServiceService,
      catalogueHandlers(
        { clock: () => new Date(), pin: '', tradingDays: {} as never },
        {
          canaries: new CanaryResults(),
          evidence: { of: () => undefined },
          areDefaultsTrained: () => true,
          stocks: { named: async (params) => params },
        },
      ),
    )
    .add(
      RunsServiceService,
      runsHandlers({
        runs: new Runs({ dates } as never),
        ...without,
        stopping: new AbortController().signal,
      }),
    )
    .add(
      MarketDataServiceService,
      marketDataHandlers({
        marketOf: () => ({ inUse, overviews: {} as never, freshness: {} as never, clock: () => new Date() }),
        rowsOfDay: rowsInMemory,
        barSources: async () => [],
        cursors: new CursorSigner(['cursor-secret-of-a-test']),
      }),
    )
    .listen();
  const [address, own] = [`127.0.0.1:${port}`, { identity: identityOf('gateway') }];
  runs = clientOf(RunsServiceService, address, own);
  catalogue = clientOf(CatalogueServiceService, address, own);
  marketData = clientOf(MarketDataServiceService, address, own);
});
afterAll(async () => {
  for (const client of [runs, catalogue, marketData]) client?.close();
  await server.stop();
});

const submit = (change: object) =>
  runs.submitRun(
    {
      model_id: 'confluence_filter',
      params: {},
      view: 'full',
      api_key_id: 'key_1',
      end_user: 'alice',
      channel: 'api',
      ...change,
    },
    call,
  );

const timeline = (change: object) =>
  marketData.getBrokerTimeline({ ticker: 'AAAA', broker: 'AK', days: 1, market: 'REG', ...change }, call);

const bars = (change: object) =>
  marketData.listBars({ ticker: 'AAAA', interval: 'day', adjusted: 'true', limit: 1, ...change }, call);

/** A text that has the form of an id or a code names nothing; any other text is none. */
const none = (code: string) => expect.stringMatching(new RegExp(`^(${code}|invalid_request)$`)) as string;
const NO_CODE = none('not_found');

test.each<[string, (text: string) => Promise<unknown>, string]>([
  ['name of a parameter', (text) => submit({ params: { [`x${text}`]: 1 } }), 'invalid_request'],
  ['value of a parameter', (text) => submit({ params: { lookback: text } }), 'invalid_request'],
  ['view', (text) => submit({ view: `x${text}` }), 'invalid_request'],
  ['model', (text) => catalogue.getModel({ model_id: text }, call), none('model_not_found')],
  ['job', (text) => runs.getJob({ job_id: `x${text}`, api_key_id: text }, call), none('job_not_found')],
  [
    'job of a model',
    (text) => runs.getRunModel({ job_id: `x${text}`, api_key_id: text }, call),
    none('job_not_found'),
  ],
  [
    'job to be explained',
    (text) => runs.explainRun({ job_id: `x${text}`, api_key_id: text, ticker: 'AAAA', language: 'id' }, call),
    none('job_not_found'),
  ],
  ['ticker', (text) => marketData.getSnapshot({ ticker: `x${text}`, days: 1 }, call), NO_CODE],
  ['universe', (text) => marketData.getQuotes({ tickers: [`universe:${text}`] }, call), NO_CODE],
  ['ticker of bars', (text) => bars({ ticker: `x${text}` }), NO_CODE],
  ['interval of bars', (text) => bars({ interval: `x${text}` }), 'invalid_request'],
  ['cursor of bars', (text) => bars({ cursor: text }), 'invalid_cursor'],
  ['cursor of stocks', (text) => marketData.listStocks({ limit: 1, cursor: text }, call), 'invalid_cursor'],
  ['broker', (text) => timeline({ broker: `x${text}` }), NO_CODE],
  ['market', (text) => timeline({ market: `x${text}` }), 'invalid_request'],
])('any text as a %s is refused with its error code, and the service keeps serving', async (_, ask, code) => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      await expect(ask(text)).rejects.toMatchObject({ code });
    }),
    { numRuns: 200 },
  );
  expect((await catalogue.listModels({}, call)).models).not.toHaveLength(0);
});
