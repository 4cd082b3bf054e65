import { describe, expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { described, trained, PARAMS } from '../fixtures/learning-fixture.ts';
import type { ExtraFeatures } from './trained-market.ts';
import { outOfFold } from './out-of-fold.ts';
import { walkBars } from './walk-fixture.ts';

/** Forecasts of orders. */
const past = (orders: { chance: number; filled: boolean; won: boolean }[]) => ({
  chance: Float32Array.from(orders, ({ chance }) => chance),
  filled: Uint8Array.from(orders, ({ filled }) => Number(filled)),
  won: Uint8Array.from(orders, ({ won }) => Number(won)),
});

test('there is no AUC when all outcomes are equal, and unfilled orders do not count', () => {
  const lost = { chance: 0.2, filled: true, won: false };
  const scores = { rows: 2, auc: null, win_rate_pct: 0 };
  expect(outOfFold(past([lost, { ...lost, chance: 0.3 }]))).toMatchObject(scores);
  const unfilled = { ...lost, filled: false, won: true };
  expect(outOfFold(past([lost, lost, unfilled]))).toMatchObject(scores);
});

test('without forecasts there are no figures', () => {
  expect(outOfFold(past([]))).toMatchObject({
    rows: 0,
    auc: null,
    log_loss: null,
    brier: null,
    calibration_error: null,
    win_rate_pct: null,
    top_decile_win_rate_pct: null,
    reliability: [],
  });
});

test('forecasts are compared with outcomes by tenths of their chance', () => {
  const of = (chance: number, won: boolean) => ({ chance, won, filled: true });
  const orders = [of(0.12, false), of(0.14, true), of(0.16, false), of(0.18, false), of(0.91, true)];
  expect(outOfFold(past(orders)).reliability).toEqual([
    { forecast_pct: 15, won_pct: 25, rows: 4 },
    { forecast_pct: 91, won_pct: 100, rows: 1 },
  ]);
});

test('of equal chances at the border of the tenth the mean share wins, in whatever order the rows come', () => {
  const equal = Array.from({ length: 100 }, (_, i) => ({ chance: 0.25, filled: true, won: i < 10 }));
  for (const orders of [equal, equal.toReversed()])
    expect(outOfFold(past(orders)).top_decile_win_rate_pct).toBe(10);
  const best = Array.from({ length: 5 }, () => ({ chance: 0.4, filled: true, won: true }));
  // 105 rows, so eleven: the five best, and six of the others, of which a tenth won.
  expect(outOfFold(past([...equal, ...best])).top_decile_win_rate_pct).toBe(50.9);
});

describe('out of fold, on a market', () => {
  test('without signal the AUC is 0.5 within 0.02', async () => {
    const panel = panelOf(walkBars({ seed: 1, tickers: 300, days: 600, pull: 0 }));
    const { out_of_fold } = described(await trained(panel, { trainDays: 440 }));
    expect(out_of_fold.rows).toBeGreaterThan(17_500);
    expect(Math.abs(out_of_fold.auc! - 0.5)).toBeLessThan(0.02);
  });

  test('where no target is ever reached every name has exactly the average chance', async () => {
    const panel = panelOf(walkBars({ seed: 4, tickers: 60, days: 420, pull: 0 }));
    const market = await trained(panel, { targetGain: 0.9 });
    expect(described(market).out_of_fold).toMatchObject({ auc: null, win_rate_pct: 0 });
    for (const { probability } of [...market.stocks, ...market.past]) expect(probability).toBe(50);
  });

  test('with a planted signal the AUC is above 0.65, and the feature that carries it is named first', async () => {
    const panel = panelOf(walkBars({ seed: 2, tickers: 120, days: 420, pull: 0.3 }));
    const { out_of_fold, features, caution } = described(await trained(panel));
    expect(out_of_fold.auc).toBeGreaterThan(0.65);
    expect(out_of_fold.top_decile_win_rate_pct).toBeGreaterThan(1.4 * out_of_fold.win_rate_pct!);
    expect(features[0]!.name).toBe('foreign_net_5');
    expect(caution).toBeUndefined();
  });

  test('whose signal later reverses the AUC is below 0.5, and a caution says so', async () => {
    const panel = panelOf(walkBars({ seed: 3, tickers: 60, days: 420, pull: 0 }));
    const table = screenInput({ panel, params: PARAMS }).features();
    const { close, dates } = panel.columns;
    const asOf = dates[399]!;
    const read: ExtraFeatures['read'] = (rows, [out]) => {
      for (const [i, row] of rows.entries()) {
        const [day, today] = [table.dayOf(row), table.columns.panelRow[row]!];
        const ahead = day < 390 ? close[today + 3]! / close[today]! : 1;
        out![i] = day < 240 ? ahead : day < 340 ? 1 : 1 / ahead;
      }
    };
    const extraFeatures = { names: ['deceptive'], read };
    const market = await trained(panel, { analysisDate: asOf, extraFeatures });
    const { out_of_fold, caution } = described(market);
    expect(market.caution!.in.id).toBe(caution);
    expect(out_of_fold.auc).toBeLessThan(0.5);
    expect(caution).toBe(
      'Pada hari-hari yang tidak ikut dipelajari, model ini tidak lebih baik daripada tebakan acak. Jangan mengandalkan probabilitasnya untuk tanggal ini.',
    );
  });
});
