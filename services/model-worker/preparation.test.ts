import { beforeEach, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { derivedMarket } from '#models/inputs/market-in-memory.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { defaultsOf } from '#models/inputs/parameters.ts';
import { loadScreens } from '#models/registry.ts';
import { regimeAdaptive } from '#models/regime-adaptive/model.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { ProcessModelCache } from './model-cache/process-model-cache.ts';
import { ThreadModelCache } from './model-cache/thread-model-cache.ts';
import type { SharedMarket } from './market/shared-market.ts';
import { prepare } from './preparation.ts';
import { RunCancellation } from './threads/run-cancellation.ts';
import type { ScreenThread } from './threads/screen-thread.ts';
import type { Outcome, SucceededRun, ThreadRun } from './threads/thread-messages.ts';
import { ThreadPool } from './threads/thread-pool.ts';
import { ThreadRuns } from './threads/thread-runs.ts';

const log = createLogger('test', 'silent');
const panel = panelOf(syntheticBars({ seed: 11, tickers: 60, days: 900 }));
const derived = derivedMarket(panel);
const market: SharedMarket = {
  dataset: { version: 'synthetic-20260930-1', kind: 'synthetic', broker_data: 'none' },
  fingerprint: 'f00d',
  segments: [],
  panel: panel.columns,
  regime: derived.regime(),
  features: derived.features().columns,
  outcomes: [],
  recentFlow: brokerFlowOf(panel, []).columns,
};
const screenOf = await loadScreens();
const trainer = ThreadedTrainer.start(1);

const noRows = () => Promise.reject(new Error('there are no broker rows'));

/** A thread that shares this one. */
class ThreadHere {
  readonly #cancellation = new RunCancellation();
  #outcome: Outcome | undefined;
  readonly #runs: ThreadRuns;

  constructor(modelCache: ProcessModelCache) {
    this.#runs = new ThreadRuns({
      brokerRows: { flowOf: noRows, monthsOf: noRows },
      trainer: () => trainer,
      screenOf,
      modelCache: new ThreadModelCache({
        find: (name, willLearn) => modelCache.find(this, name, willLearn),
        trained: (name, cachedModel) => modelCache.trained(name, cachedModel),
      }),
      patienceMs: 0,
      cancellation: this.#cancellation,
      post: (message) => {
        if (message.kind === 'finished') this.#outcome = message.outcome;
      },
    });
  }

  async run(shared: SharedMarket, run: ThreadRun): Promise<Outcome> {
    this.#cancellation.withdraw();
    await this.#runs.run(shared, run);
    return this.#outcome!;
  }

  cancel(): void {
    this.#cancellation.ask();
  }
}

let modelCache: ProcessModelCache;
let pool: ThreadPool<ScreenThread>;
beforeEach(() => {
  modelCache = new ProcessModelCache(1e9);
  pool = new ThreadPool([new ThreadHere(modelCache) as unknown as ScreenThread]);
});

async function originOfDefaultRun(): Promise<string> {
  const { id: model_id, params } = regimeAdaptive;
  const wanted = { model_id, params: defaultsOf(params), analysis_date: panel.columns.dates.at(-1)! };
  const outcome = await pool.run(market, { ...wanted, view: 'full' }, new AbortController().signal);
  const { diag } = JSON.parse(new TextDecoder().decode((outcome as SucceededRun).resultJson)) as {
    diag: { model: { origin: string }; timings_ms: { total: number } };
  };
  expect(diag.timings_ms.total).toBeGreaterThan(0);
  return diag.model.origin;
}

test('preparation learns what runs with the defaults need before they arrive', async () => {
  await prepare(pool, market, { log, signal: new AbortController().signal });
  expect(modelCache.bytes).toBeGreaterThan(0);
  expect(await originOfDefaultRun()).toBe('reused');
});

test('preparation that is not needed any more stops', async () => {
  const replaced = new AbortController();
  replaced.abort();
  await prepare(pool, market, { log, signal: replaced.signal });
  expect(modelCache.bytes).toBe(0);
  expect(await originOfDefaultRun()).toBe('learnt');
});
