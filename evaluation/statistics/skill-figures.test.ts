import { expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { blockResamples, type Resamples } from '#quant/statistics/block-bootstrap.ts';
import { skillFigures, skillOf, type ClassWeek } from './skill-figures.ts';

const CLIMATOLOGY = [0.2, 0.5, 0.3];
const resamples = blockResamples(40, { resamples: 300, blockLength: 4, seed: 1 });

const NONE: Resamples = { drawn: [], blockLength: 1 };

/** Names with two kinds of chances, whose mean is the climatology. The forecasts are the true chances or the climatology. */
function weeksOf(knows: boolean): ClassWeek[] {
  const random = new Random(3);
  return Array.from({ length: 40 }, () => {
    const truths = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? [0.4, 0.5, 0.1] : [0, 0.5, 0.5]));
    return {
      forecasts: truths.map((truth) => (knows ? truth : CLIMATOLOGY)),
      came: truths.map((truth) => classOf(truth, random.uniform())),
      climatology: CLIMATOLOGY,
    };
  });
}

function classOf(chances: number[], draw: number): number {
  let sum = 0;
  return chances.findIndex((chance) => draw < (sum += chance));
}

test('skill is the share by which forecasts reduce the Brier score of the climatology', () => {
  const week = { forecasts: [[0.5, 0.5, 0]], came: [1], climatology: CLIMATOLOGY };
  const { brier, climatology_brier, skill, log_loss, climatology_log_loss } = skillFigures([week], NONE);
  expect(brier).toBeCloseTo(0.5, 12);
  expect(climatology_brier).toBeCloseTo(0.04 + 0.25 + 0.09, 12);
  expect(skill.value).toBeCloseTo(1 - 0.5 / 0.38, 12);
  expect([log_loss, climatology_log_loss]).toEqual([Math.LN2, Math.LN2]);
});

test('the climatology has zero skill against itself and none against hindsight', () => {
  const { skill, skill_against_hindsight } = skillFigures(weeksOf(false), resamples);
  expect(skill).toEqual({ value: 0, low: 0, high: 0 });
  expect(skill_against_hindsight).toBeLessThanOrEqual(0);
});

test('better forecasts have skill, with an interval above zero', () => {
  const { skill, log_loss, climatology_log_loss, forecasts, came } = skillFigures(weeksOf(true), resamples);
  expect(skill.low).toBeGreaterThan(0.05);
  expect(log_loss).toBeLessThan(climatology_log_loss!);
  expect(forecasts).toBe(2_000);
  expect(came.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
});

test('the figures of a part use only its own weeks', () => {
  const [first, ...others] = weeksOf(true);
  const part = skillFigures([first!, ...others], resamples, (week) => week === first);
  expect(part).toMatchObject({ weeks: 1, forecasts: 50 });
  expect(part.brier).toBe(skillFigures([first!], NONE).brier);
});

test('without forecasts there are no figures', () => {
  const nothing = { weeks: 0, forecasts: 0, log_loss: null, brier: null, skill_against_hindsight: null };
  expect(skillFigures([], NONE)).toMatchObject(nothing);
  expect(skillOf(0, 0)).toBeNull();
});
