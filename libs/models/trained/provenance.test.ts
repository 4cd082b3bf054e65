import { InferenceSession } from 'onnxruntime-node';
import { beforeAll, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { ScreenInput } from '../model/screen.ts';
import { described, trained, PARAMS, REQUEST } from '../fixtures/learning-fixture.ts';
import type { ExtraFeatures, LearningRequest, TrainedMarket } from './trained-market.ts';
import { walkForwardFolds } from '#quant/learning/walk-forward/folds.ts';
import { winChance } from '../results/results.ts';
import { CALIBRATION_DAYS, EMBARGO_DAYS, walkForward } from '../inputs/history.ts';
import { requireEnough } from './learn-market.ts';
import { spannedDays } from './provenance.ts';
import { trainingSet } from './training.ts';
import { walkBars } from './walk-fixture.ts';

const DAY = 399;
let panel: Panel;
let asOf: string;
let market: TrainedMarket;
beforeAll(async () => {
  panel = panelOf(walkBars({ seed: 3, tickers: 60, days: 420, pull: 0.3 }));
  asOf = panel.columns.dates[DAY]!;
  market = await trained(panel, { analysisDate: asOf });
});

const fingerprintOf = async (request: Partial<LearningRequest>, given: Partial<ScreenInput> = {}) =>
  (await trained(panel, { analysisDate: asOf, ...request }, given)).model.fingerprint;

test('the training window has the requested length, uses every second day and ends where all outcomes are known', () => {
  const { training } = described(market);
  const { dates } = panel.columns;
  expect(training.to).toBe(dates[DAY - REQUEST.horizonDays - EMBARGO_DAYS]);
  // Every second of 250 days, counted back from the newest.
  expect(training.from).toBe(dates[DAY - REQUEST.horizonDays - EMBARGO_DAYS - 248]);
  expect(training.days).toBe(249);
  expect(training.rows).toBeGreaterThan(0.99 * 125 * 60);
  expect(training.rows).toBeLessThanOrEqual(125 * 60);
  expect(training.base_rate_pct).toBeCloseTo(100 * market.baseRate, 0);
});

test('the base rate is the weighted share of winners on the days calibrated on, as it is described', () => {
  const request = { ...REQUEST, analysisDate: asOf };
  const table = screenInput({ panel, params: PARAMS }).features();
  const { days, weights, outcomes } = trainingSet(table, requireEnough(table, DAY, request), DAY, request);
  const [first] = walkForwardFolds(days, walkForward(spannedDays(days), REQUEST.horizonDays));
  expect(days.at(-1)! - days[first!.validation.from]!).toBeLessThan(CALIBRATION_DAYS);
  const shareFrom = (from: number) => {
    const sum = (values: Float64Array) => values.subarray(from).reduce((total, value) => total + value, 0);
    return (100 * sum(weights.map((weight, i) => weight * outcomes.won[i]!))) / sum(weights);
  };
  const { training } = described(market);
  expect(Math.abs(training.base_rate_pct - shareFrom(first!.validation.from))).toBeLessThan(0.1);
  expect(Math.abs(training.base_rate_pct - shareFrom(0))).toBeGreaterThan(0.1);
  expect(JSON.stringify(winChance.base_rate_pct)).toMatch(/the days that chances were calibrated on/);
});

test('the ONNX graph loads in the runtime and contains its provenance', async () => {
  const session = await InferenceSession.create(market.model.onnx);
  expect([session.inputNames, session.outputNames]).toEqual([['features'], ['probability']]);
  await session.release();
  const text = Buffer.from(market.model.onnx).toString('latin1');
  for (const part of [
    market.model.fingerprint,
    asOf,
    REQUEST.modelId,
    JSON.stringify(described(market).feature_names),
  ])
    expect(text).toContain(part);
});

test('a changed parameter, view, dataset version or feature changes the fingerprint; equal runs share it', async () => {
  const extraFeatures: ExtraFeatures = { names: ['zero'], read: (_, [out]) => out!.fill(0) };
  const others = await Promise.all([
    fingerprintOf({}, { params: { min_price: 201 } }),
    fingerprintOf({}, { view: 'compact' }),
    fingerprintOf({}, { dataset: { version: 'other', kind: 'real', broker_data: 'none' } }),
    fingerprintOf({ extraFeatures }, {}),
    fingerprintOf({ targetGain: 0.06 }, {}),
    fingerprintOf({ version: 'v7' }, {}),
  ]);
  expect(new Set([market.model.fingerprint, ...others]).size).toBe(7);
  expect(await fingerprintOf({}, { params: { analysis_date: 'today', ...PARAMS } })).toBe(
    await fingerprintOf({}, { params: { ...PARAMS, analysis_date: asOf } }),
  );
});

test('a changed feature value in the scored rows changes the fingerprint', async () => {
  const table = screenInput({ panel, params: PARAMS }).features();
  const read =
    (today: number): ExtraFeatures['read'] =>
    (rows, [out]) => {
      for (const [i, row] of rows.entries()) out![i] = table.dayOf(row) === DAY ? today : 0;
    };
  const [one, other] = [
    await fingerprintOf({ extraFeatures: { names: ['today'], read: read(1) } }),
    await fingerprintOf({ extraFeatures: { names: ['today'], read: read(2) } }),
  ];
  expect(one).not.toBe(other);
});
