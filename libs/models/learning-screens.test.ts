import { defaultsOf } from './inputs/parameters.ts';
import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { params as ofF } from './combined/params.ts';
import { screen as screenOfF } from './combined/screen.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { params as ofA } from './regime-adaptive/params.ts';
import { screen as screenOfA } from './regime-adaptive/screen.ts';
import { screenInput } from './fixtures/screen-input-fixture.ts';
import type { Screen } from './model/screen.ts';

/** Models A and F from bars to result, with the model that they learn. */

const AS_OF = '2026-08-28';
const panel = panelOf(syntheticBars({ seed: 11, tickers: 100, days: 440 }));
const FLOORS = { min_price: 100, min_daily_val: 100_000_000 };
const LEVELS = { target_gain: 0.1, stop_loss: 0.05, max_picks: 10 };

const CASES: { name: string; screen: Screen; params: Record<string, unknown> }[] = [
  {
    name: 'model A',
    screen: screenOfA,
    params: { ...defaultsOf(ofA), ...FLOORS, ...LEVELS, min_probability: 30, train_days: 250 },
  },
  {
    name: 'model F',
    screen: screenOfF,
    params: {
      ...defaultsOf(ofF),
      ...FLOORS,
      ...LEVELS,
      min_probability: 45,
      min_signals: 1,
      strategy: 'Compare All',
    },
  },
];

async function outcome(screen: Screen, params: Record<string, unknown>) {
  const { result, summary, record, model } = await screen.run(
    screenInput({ panel, params, analysisDate: AS_OF }),
  );
  const text = JSON.stringify([result, summary, record, model?.fingerprint, [...model!.onnx]]);
  return { result, text };
}

describe.each(CASES)('$name', ({ screen, params }) => {
  test('learns a different model for another target or stop', async () => {
    const { text } = await outcome(screen, params);
    for (const change of [{ target_gain: 0.05 }, { stop_loss: 0.1 }])
      expect((await outcome(screen, { ...params, ...change })).text).not.toBe(text);
  });

  test('counts only out-of-fold forecasts above its floors', async () => {
    const counted = async (min_price: number) => {
      const { result } = await outcome(screen, { ...params, min_price, max_picks: 1_000 });
      const { candidates } = result['model_quality'] as { candidates: number };
      const { model } = result['diag'] as { model: { out_of_fold: { rows: number } } };
      return { candidates, rows: model.out_of_fold.rows };
    };
    const [wide, narrow] = [await counted(100), await counted(1000)];
    expect(wide.candidates).toBeLessThanOrEqual(wide.rows);
    expect(narrow.candidates).toBeLessThan(wide.candidates);
    expect(narrow.candidates).toBeGreaterThan(0);
    expect(narrow.rows).toBe(wide.rows);
  });
});

test('model A trains on the given number of days and for the given horizon', async () => {
  const { screen, params } = CASES[0]!;
  const training = async (change: object) => {
    const { result } = await outcome(screen, { ...params, ...change });
    return (result['diag'] as { model: { training: { days: number; to: string } } }).model.training;
  };
  const [few, more, longer] = [
    await training({}),
    await training({ train_days: 260 }),
    await training({ horizon_days: 30 }),
  ];
  // From the oldest to the newest. Every second day is used, counted back from the newest, so an even number drops the oldest.
  expect([few.days, more.days]).toEqual([249, 259]);
  expect(longer.to < few.to).toBe(true);
});
