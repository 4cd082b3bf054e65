import { expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { chanceFigures, type Forecast } from './chance-figures.ts';

/** Weeks of forecasts; `stated` turns the true chance into the stated one. */
function weeksOf(stated: (chance: number) => number, seed = 1): Forecast[][] {
  const random = new Random(seed);
  return Array.from({ length: 50 }, () =>
    Array.from({ length: 200 }, () => {
      const chance = random.between(0.05, 0.6);
      return { chance: stated(chance), won: random.chance(chance) };
    }),
  );
}

test('true chances lie on the diagonal; overstated chances do not', () => {
  const right = chanceFigures(weeksOf((chance) => chance));
  expect(right.calibration_error).toBeLessThan(0.02);
  expect(right.mean_chance! - right.win_rate!).toBeCloseTo(0, 1);
  for (const { forecast, observed, weight } of right.reliability)
    if (weight > 300) expect(Math.abs(forecast! - observed!)).toBeLessThan(0.08);
  const boasting = chanceFigures(weeksOf((chance) => chance + 0.2));
  expect(boasting.calibration_error).toBeCloseTo(0.2, 1);
  expect(boasting.auc).toBeCloseTo(right.auc!, 6);
});

test('the reliability table counts every forecast once', () => {
  const { forecasts, reliability } = chanceFigures(weeksOf((chance) => chance));
  expect(forecasts).toBe(10_000);
  expect(reliability.reduce((sum, { weight }) => sum + weight, 0)).toBe(10_000);
});

test('telling good weeks from bad ones raises the AUC but not the AUC within a week', () => {
  const week = (chance: number, wins: number): Forecast[] =>
    Array.from({ length: 10 }, (_, i) => ({ chance, won: i < wins }));
  const { auc, auc_within_week } = chanceFigures([week(0.2, 2), week(0.5, 5)]);
  expect(auc).toBeGreaterThan(0.6);
  expect(auc_within_week).toBe(0.5);
});

test('without forecasts, or with only one outcome, there is no AUC', () => {
  expect(chanceFigures([])).toMatchObject({ forecasts: 0, auc: null, calibration_error: null });
  expect(chanceFigures([[{ chance: 0.3, won: true }]])).toMatchObject({ auc: null, auc_within_week: null });
});
