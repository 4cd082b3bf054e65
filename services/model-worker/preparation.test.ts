import { beforeEach, expect, test } from 'vitest';
import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadScreens } from '#models/registry.ts';
import { syntheticBars } from '#models/market-fixtures.ts';
import { defaultsOf } from '#models/parameters.ts';
import { regimeAdaptive } from '#models/regime-adaptive/model.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { derivedMarket } from './derived-market.ts';
import type { HeldPanel, LoadedPanel } from './held-panel.ts';
import { KeptLessons } from './lessons/kept-lessons.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { DatasetToLoad, FromThread } from './thread-messages.ts';
import { ThreadRuns } from './thread-runs.ts';

const panel = panelOf(syntheticBars({ seed: 11, tickers: 60, days: 900 }));
const days = new BrokerDays(panel);
const DATASET: DatasetToLoad = {
  version: 'synthetic-20260930-1',
  kind: 'synthetic',
  broker_data: 'none',
  bars: panel.rowCount,
  broker_segments: [],
};
const held = {
  ...derivedMarket(panel),
  dataset: DATASET,
  recentFlow: brokerFlowOf(panel, []),
  segments: [],
  brokerDays: { of: async () => days },
} as unknown as LoadedPanel;
const screenOf = await loadScreens();
const trainer = ThreadedTrainer.start(1);

let lessons: KeptLessons;
let posted: FromThread[];
let preparation: RunCancellation;
let runs: ThreadRuns;
beforeEach(() => {
  lessons = new KeptLessons(1e9);
  posted = [];
  preparation = new RunCancellation();
  runs = new ThreadRuns({
    panels: { held, load: async () => held, flowOf: async () => held.recentFlow } as unknown as HeldPanel,
    trainer: () => trainer,
    screenOf,
    lessons,
    patienceMs: 0,
    preparation,
    cancellation: new RunCancellation(),
    post: (message) => posted.push(message),
  });
});

async function originOfDefaultRun(): Promise<string> {
  const { id: model_id, params } = regimeAdaptive;
  const wanted = { model_id, params: defaultsOf(params), analysis_date: panel.columns.dates.at(-1)! };
  await runs.run(DATASET, { ...wanted, view: 'full' });
  const { outcome } = posted.at(-1) as { outcome: { resultJson: Uint8Array } };
  const { diag } = JSON.parse(new TextDecoder().decode(outcome.resultJson)) as {
    diag: { model: { origin: string }; timings_ms: { total: number } };
  };
  expect(diag.timings_ms.total).toBeGreaterThan(0);
  return diag.model.origin;
}

test('preparation learns what runs with the defaults need before they arrive', async () => {
  await runs.prepare();
  expect(posted).toEqual([]);
  expect(lessons.bytes).toBeGreaterThan(0);
  expect(await originOfDefaultRun()).toBe('reused');
});

test('preparation does not start during a run and is abandoned when one arrives', async () => {
  preparation.ask();
  await runs.prepare();
  expect([lessons.bytes, posted]).toEqual([0, []]);
  preparation.withdraw();
  const preparing = runs.prepare();
  preparation.ask();
  await preparing;
  expect(lessons.bytes).toBe(0);
  expect(await originOfDefaultRun()).toBe('learnt');
});
