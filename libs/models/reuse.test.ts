import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import {
  ProcessModelCache,
  type SharedModelCache,
} from '#services/model-worker/model-cache/process-model-cache.ts';
import { ThreadModelCache } from '#services/model-worker/model-cache/thread-model-cache.ts';
import { RunTimings, withTimings } from '#services/model-worker/threads/run-timings.ts';
import { params as ofF } from './combined/params.ts';
import { screen as screenOfF } from './combined/screen.ts';
import { params as ofB } from './gann-classic/params.ts';
import { screen as screenOfB } from './gann-classic/screen.ts';
import { brokerMarket, DEFAULTS as ofC, panelAndDays } from './gross-alpha/gross-fixture.ts';
import { screen as screenOfC } from './gross-alpha/screen.ts';
import type { CachedModel, ModelCache } from './trained/model-cache.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { defaultsOf } from './inputs/parameters.ts';
import { params as ofE } from './recovery/params.ts';
import { screen as screenOfE } from './recovery/screen.ts';
import { params as ofA } from './regime-adaptive/params.ts';
import { screen as screenOfA } from './regime-adaptive/screen.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';
import type { Screen } from './model/screen.ts';

/** The result of a run must not depend on whether the run trained its model or reused an earlier one. */

const panel = panelOf(syntheticBars({ seed: 11, tickers: 60, days: 420 }));
const FLOORS = { min_price: 100, min_daily_val: 100_000_000 };
const table = screenInput({ panel, params: {} }).features();
const { from, to } = table.rowsOf(panel.dayCount - 1);
const [first, second] = Array.from(
  table.columns.ticker.subarray(from, to),
  (ticker) => panel.columns.tickers[ticker]!,
);
const heldAt = (ticker: string | undefined) => ({ positions: [{ ticker, pnl_input: -7 }] });

const gross = panelAndDays(brokerMarket({ seed: 5, tickers: 40, days: 420, pull: 0.5 }));

interface Case {
  name: string;
  market?: { panel: Panel; brokerDays?: BrokerDays };
  screen: Screen;
  params: Record<string, unknown>;
  /** Parameters of a run that learns from the same data. */
  change: Record<string, unknown>;
  /** Parameters of a run that learns from other data. */
  other: Record<string, unknown>;
}

const CASES: Case[] = [
  {
    name: 'model A',
    screen: screenOfA,
    params: { ...defaultsOf(ofA), ...FLOORS, train_days: 250, min_probability: 30 },
    change: { min_probability: 45, max_picks: 3 },
    other: { target_gain: 0.1 },
  },
  {
    name: 'model B',
    screen: screenOfB,
    params: { ...defaultsOf(ofB), ...FLOORS, min_probability: 30, min_cycle_score: 0 },
    change: { min_cycle_score: 20 },
    other: { pivot_window: 7 },
  },
  {
    name: 'model C',
    screen: screenOfC,
    market: gross,
    params: { ...ofC },
    change: { max_picks: 3, min_probability: 45 },
    other: { flow_window: 5 },
  },
  {
    name: 'model F',
    screen: screenOfF,
    params: { ...defaultsOf(ofF), ...FLOORS, min_probability: 30 },
    change: { strategy: 'Compare All', min_probability: 40 },
    other: { stop_loss: 0.1 },
  },
  {
    name: 'model E',
    screen: screenOfE,
    params: { ...defaultsOf(ofE), ...heldAt(first) },
    change: heldAt(second),
    other: { horizon: 10 },
  },
];

/** The cached models of a worker that has just started. */
function modelCacheOfWorker(others: SharedModelCache): ModelCache {
  const process = new ProcessModelCache(1e9, others);
  const modelCache = new ThreadModelCache({
    find: (name, willLearn) => process.find({}, name, willLearn),
    trained: (name, cachedModel) => process.trained(name, cachedModel),
  });
  return modelCache.of({ fingerprint: 'f00d' });
}

async function run(
  { screen, market = { panel } }: Pick<Case, 'screen' | 'market'>,
  params: Record<string, unknown>,
  modelCache?: ModelCache,
) {
  const output = await screen.run(screenInput({ ...market, params, ...(modelCache && { modelCache }) }));
  const { result, summary, model, origin } = output;
  return { output, origin, bytes: JSON.stringify([result, summary, model?.fingerprint, [...model!.onnx]]) };
}

describe.each(CASES)('$name', (tried) => {
  const { params, change, other } = tried;
  test('gives the same bytes with a model reused from an earlier run or another worker as with its own', async () => {
    const offered = new Map<string, Uint8Array>();
    const shared: SharedModelCache = {
      fetch: async (name) =>
        offered.has(name) ? (deserialize(offered.get(name)!) as CachedModel) : undefined,
      offer: (name, cachedModel) => offered.set(name, serialize(cachedModel)),
    };
    const modelCache = modelCacheOfWorker(shared);
    expect((await run(tried, params, modelCache)).origin).toBe('learnt');
    const trained = await run(tried, { ...params, ...change });
    const reused = await run(tried, { ...params, ...change }, modelCache);
    const handedOver = await run(tried, { ...params, ...change }, modelCacheOfWorker(shared));
    expect([trained.origin, reused.origin, handedOver.origin]).toEqual(['learnt', 'reused', 'reused']);
    expect([reused.bytes, handedOver.bytes]).toEqual([trained.bytes, trained.bytes]);
    expect((await run(tried, { ...params, ...other }, modelCache)).origin).toBe('learnt');
  });
});

test('the full view adds the origin of its model and its timings and changes nothing else', async () => {
  const { screen, params } = CASES[0]!;
  const timings = new RunTimings();
  const output = await screen.run(screenInput({ panel, params, mark: timings.mark }));
  timings.mark('selection');
  const { result } = output;
  const reported = withTimings(output, timings.timings) as { diag: { model: object; timings_ms: object } };
  const { origin, ...model } = reported.diag.model as { origin: string };
  const { timings_ms, ...diag } = reported.diag;
  expect(origin).toBe('learnt');
  expect(Object.keys(timings_ms)).toEqual(['training_rows', 'learning', 'scoring', 'selection', 'total']);
  const { total, ...stages } = timings_ms as Record<string, number>;
  const sum = Object.values(stages).reduce((a, b) => a + b, 0);
  expect(Math.abs(sum - total!)).toBeLessThan(6);
  expect({ ...reported, diag: { ...diag, model } }).toEqual(result);
});
