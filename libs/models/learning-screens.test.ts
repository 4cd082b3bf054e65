import { defaultsOf } from './parameters.ts';
import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { params as ofF } from './combined/params.ts';
import { screen as screenOfF } from './combined/screen.ts';
import { syntheticBars } from './market-fixtures.ts';
import { params as ofA } from './regime-adaptive/params.ts';
import { screen as screenOfA } from './regime-adaptive/screen.ts';
import { screenInput } from './screen-input-fixture.ts';
import type { Screen } from './screen.ts';

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

/** Everything that a run outputs, as text. */
async function outcome(
  screen: Screen,
  market: Panel,
  params: Record<string, unknown>,
  given: { threads?: number } = {},
) {
  const { result, summary, record, model } = await screen.run(
    screenInput({ panel: market, params, analysisDate: AS_OF, ...given }),
  );
  const text = JSON.stringify([result, summary, record, model?.fingerprint, [...model!.onnx]]);
  return { result, summary, record, text };
}

describe.each(CASES)('$name', ({ screen, params }) => {
  test('records exactly the picks, levels and chances that it shows', async () => {
    const { result, summary, record } = await outcome(screen, panel, params);
    const shown = result['df_result'] as Record<string, unknown>[];
    expect(record!.picks.map(({ ticker }) => ticker)).toEqual(summary.tickers);
    expect(
      record!.picks.map(({ ticker, close, stop, target, probability, win_chance_pct, base_rate_pct }) => ({
        Ticker: ticker,
        Entry: close,
        Stop: stop,
        Target: target,
        Probability: `${probability!.toFixed(1)}%`,
        win_chance_pct,
        base_rate_pct,
      })),
    ).toEqual(
      shown.map(({ Ticker, Entry, Stop, Target, Probability, win_chance_pct, base_rate_pct }) => ({
        Ticker,
        Entry,
        Stop,
        Target,
        Probability,
        win_chance_pct,
        base_rate_pct,
      })),
    );
    expect(record).toMatchObject({
      barriers: { target_gain: 0.1, stop_loss: 0.05 },
      horizon_days: 20,
      floors: FLOORS,
      regime: (result['diag'] as { regime: string }).regime,
    });
  });

  test('gives the same bytes on one thread or two', async () => {
    const { text } = await outcome(screen, panel, params, { threads: 2 });
    expect((await outcome(screen, panel, params)).text).toBe(text);
  });

  test('learns a different model for another target or stop', async () => {
    const { text } = await outcome(screen, panel, params);
    for (const change of [{ target_gain: 0.05 }, { stop_loss: 0.1 }])
      expect((await outcome(screen, panel, { ...params, ...change })).text).not.toBe(text);
  });

  test('counts only out-of-fold forecasts above its floors', async () => {
    const counted = async (min_price: number) => {
      const { result } = await outcome(screen, panel, { ...params, min_price, max_picks: 1_000 });
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
    const { result } = await outcome(screen, panel, { ...params, ...change });
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
