import { expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import type { LateFactor } from '#quant/panel/panel-columns.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { confluenceFilter } from '#models/confluence-filter/model.ts';
import { derivedMarket } from '#models/inputs/market-in-memory.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { LOW_FLOORS } from '#models/model/model.ts';
import { defaultsOf } from '#models/inputs/parameters.ts';
import { loadScreens } from '#models/registry.ts';
import type { SharedMarket } from '../market/shared-market.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { Outcome, SucceededRun } from './thread-messages.ts';
import { ThreadRuns } from './thread-runs.ts';

const bars = syntheticBars({ seed: 11, tickers: 60, days: 300 });
const detected = panelOf(bars);
const { dates } = detected.columns;
const KNOWN = dates.length - 5;

/** Ten days before the end, half of all stocks were split, which is known only since the fifth last day. */
const late: LateFactor[] = Array.from({ length: 30 }, (_, ticker) => {
  const row = detected.lastRow(2 * ticker, dates.length - 10);
  const { factor = 1, share_factor = 1 } = bars[row]!;
  return { row, knownDay: KNOWN, factor, share_factor };
});
const split = new Set(late.map(({ row }) => row));
const stated: BarFixture[] = bars.map((bar, row) =>
  split.has(row) ? { ...bar, factor: 0.5, share_factor: 0.5 } : bar,
);

function marketOf(version: string, rows: BarFixture[], late_factors: LateFactor[] = []): SharedMarket {
  const panel = panelOf(rows);
  const derived = derivedMarket(panel);
  return {
    dataset: { version, kind: 'synthetic', broker_data: 'none' },
    fingerprint: 'f00d',
    segments: [],
    panel: { ...panel.columns, late_factors },
    regime: derived.regime(),
    features: derived.features().columns,
    outcomes: [],
    recentFlow: brokerFlowOf(panel, []).columns,
  };
}

const screenOf = await loadScreens();

/** The names and numbers that a run as of a day gives. */
async function picksOn(market: SharedMarket, day: number): Promise<unknown> {
  let outcome: Outcome | undefined;
  const noRows = () => Promise.reject(new Error('there are no broker rows'));
  const runs = new ThreadRuns({
    brokerRows: { flowOf: noRows, monthsOf: noRows },
    trainer: () => Promise.reject(new Error('nothing is learnt')),
    screenOf,
    patienceMs: 0,
    cancellation: new RunCancellation(),
    post: (message) => {
      if (message.kind === 'finished') outcome = message.outcome;
    },
  });
  const { id: model_id, params } = confluenceFilter;
  const wanted = { ...defaultsOf(params), ...LOW_FLOORS, min_signals: 1, max_picks: 50 };
  await runs.run(market, { model_id, params: wanted, analysis_date: dates[day]!, view: 'full' });
  const { df_result } = JSON.parse(new TextDecoder().decode((outcome as SucceededRun).resultJson)) as {
    df_result: unknown[];
  };
  expect(df_result.length).toBeGreaterThan(0);
  return df_result;
}

test('a run as of a day before an action was known gives what it gave without it, and from that day on what it gives with it', async () => {
  const [without, known, both] = [marketOf('v1', bars), marketOf('v2', stated), marketOf('v3', stated, late)];
  expect(await picksOn(both, KNOWN - 1)).toEqual(await picksOn(without, KNOWN - 1));
  expect(await picksOn(both, KNOWN)).toEqual(await picksOn(known, KNOWN));
  expect(await picksOn(both, KNOWN)).not.toEqual(await picksOn(without, KNOWN));
  expect(await picksOn(both, KNOWN - 1)).not.toEqual(await picksOn(known, KNOWN - 1));
});
