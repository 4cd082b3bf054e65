import { describe, expect, test } from 'vitest';
import { uniforms } from '../boosting/planted-fixture.ts';
import { calibrated, logistic } from '../calibration/calibration.ts';
import { fitPlatt } from '../calibration/platt.ts';
import { supportedChances } from '../calibration/supported-chances.ts';
import { superiorityOver } from '../validation/superiority.ts';
import { baseRate, FoldCalibrations, type ScoredFold } from './fold-calibrations.ts';

const SIGMOID = (score: number) => logistic(score - 1);
/** As far from any sigmoid as a rising curve can be. */
const STEP = (score: number) => (score < -1 ? 0.05 : score < 1 ? 0.3 : 0.35);

/** Scores from -3 to 3, and labels that are 1 with probability `chance(score)`. */
function fold(rows: number, seed: number, chance: (score: number) => number): ScoredFold {
  const draw = uniforms(seed);
  const from = 1 + (seed - 1) * rows;
  const scores = Float32Array.from({ length: rows }, () => 6 * draw() - 3);
  return {
    train: { from: 0, to: from },
    validation: { from, to: from + rows },
    classes: 2,
    scores,
    labels: Uint8Array.from(scores, (score) => (draw() < chance(score) ? 1 : 0)),
    weights: new Float64Array(rows).fill(1),
  };
}

const folds = (rows: number, chance: (score: number) => number) =>
  [1, 2, 3, 4].map((seed) => fold(rows, seed, chance));

describe('the calibration of some folds', () => {
  test('is a sigmoid when the scores follow one', () => {
    const calibration = new FoldCalibrations(folds(5_000, SIGMOID)).ofAll();
    expect(calibration.kind).toBe('platt');
    const [low, high] = calibrated(calibration, [-2, 2], 1);
    expect(low).toBeCloseTo(SIGMOID(-2), 1);
    expect(high).toBeCloseTo(SIGMOID(2), 1);
  });

  test('is an isotonic curve when that does better on every next fold', () => {
    const calibration = new FoldCalibrations(folds(5_000, STEP)).ofAll();
    expect(calibration.kind).toBe('isotonic');
    for (const score of [-2, 0, 2])
      expect(Math.abs(calibrated(calibration, [score], 1)[0]! - STEP(score))).toBeLessThan(0.04);
  });

  test('is a sigmoid with fewer than 1,000 rows of label 1, or with a single fold', () => {
    expect(new FoldCalibrations(folds(900, STEP)).ofAll().kind).toBe('platt');
    expect(new FoldCalibrations(folds(20_000, STEP)).before(20_001)!.kind).toBe('platt');
  });

  test('moves further from a slope of 1 the more folds support it', () => {
    const steep = new FoldCalibrations(folds(400, (score) => logistic(2 * score - 1)));
    const slopes = [1, 2, 4].map((count) => (steep.before(1 + count * 400) as { slope: number }).slope);
    expect(slopes).toEqual(slopes.toSorted((a, b) => a - b));
    expect(slopes[0]).toBeGreaterThan(1);
    expect(slopes[2]).toBeLessThan(2);
  });

  test('does not depend on the unit of the weights', () => {
    const usual = folds(3_000, SIGMOID);
    const heavy = usual.map((each) => ({ ...each, weights: each.weights.map((weight) => 64 * weight) }));
    expect(new FoldCalibrations(heavy).ofAll()).toEqual(new FoldCalibrations(usual).ofAll());
    expect(baseRate(heavy)).toBe(baseRate(usual));
  });

  test('gives exactly the base rate of its folds for uninformative scores', () => {
    for (const chance of [0, 0.2]) {
      const flat = folds(900, () => chance).map((each) => ({ ...each, scores: each.scores.fill(0.1) }));
      const [p] = calibrated(new FoldCalibrations(flat).ofAll(), [0.1], 1);
      expect(superiorityOver(baseRate(flat))(p!)).toBe(50);
    }
  });

  test('gives the rows of its folds their base rate on average', () => {
    const all = folds(900, SIGMOID);
    const given = all.flatMap(({ scores }) => [...calibrated(new FoldCalibrations(all).ofAll(), scores, 1)]);
    expect(given.reduce((sum, p) => sum + p) / given.length).toBeCloseTo(baseRate(all), 5);
  });

  test('is supported by outcomes as a hundredth of them can be, drawn to the base rate by two', () => {
    expect(supportedChances(0.3, 500).least).toBeCloseTo(0.6 / 7, 12);
    expect(supportedChances(0.3, 500).most).toBeCloseTo(1 - 1.4 / 7, 12);
    for (const p of Object.values(supportedChances(0.3, 0))) expect(p).toBeCloseTo(0.3, 12);
  });

  test.each([
    ['sigmoid', 'platt', 400],
    ['curve', 'isotonic', 6_000],
  ])('keeps the chances of a %s that outcomes seem to prove within what they support', (_, kind, rows) => {
    const proven = folds(rows, (score) => (score > 2 ? 1 : score < -2 ? 0 : 0.3));
    const calibration = new FoldCalibrations(proven).ofAll();
    expect(calibration.kind).toBe(kind);
    const { least, most } = supportedChances(baseRate(proven), 4 * rows);
    const chances = [...calibrated(calibration, [-1_000, 1_000], 1)];
    expect(chances[0]).toBeCloseTo(least, 6);
    expect(chances[1]).toBeCloseTo(most, 6);
  });

  test('is none before the first fold, and uses only the rows before its time', () => {
    const all = folds(3_000, SIGMOID);
    expect(new FoldCalibrations(all).before(1)).toBeNull();
    const flipped = all.map((each, i) => ({
      ...each,
      labels: each.labels.map((label, row) => (i > 1 || (i === 1 && row >= 1_000) ? 1 - label : label)),
    }));
    const [usual, other] = [new FoldCalibrations(all), new FoldCalibrations(flipped)];
    expect(other.before(4_001)).toEqual(usual.before(4_001));
    expect(other.before(4_002)).not.toEqual(usual.before(4_002));
  });

  test('uses no other folds', () => {
    const all = folds(3_000, SIGMOID);
    const [first, second] = all;
    const two = fitPlatt(
      Float32Array.of(...first!.scores, ...second!.scores),
      [...first!.labels, ...second!.labels],
      [...first!.weights, ...second!.weights],
      3 / 2,
    );
    expect(new FoldCalibrations(all).before(6_001)).toMatchObject(two);
  });
});
