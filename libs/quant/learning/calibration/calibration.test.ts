import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uniforms } from '../boosting/planted-fixture.ts';
import { logLoss } from '../validation/scoring.ts';
import { calibrated, LOGISTIC, logistic, shifted, SOFTMAX, type Calibration } from './calibration.ts';
import { fitIsotonic } from './isotonic.ts';
import { fitPlatt, smoothedTargets } from './platt.ts';
import { fitTemperature } from './temperature.ts';

/** Scores around 0, and labels whose log-odds are slope × score + intercept. */
function sample(size: number, slope: number, intercept: number, seed: number) {
  const draw = uniforms(seed);
  const scores = Float32Array.from({ length: size }, () => 4 * draw() - 2);
  const labels = Uint8Array.from(scores, (score) => (draw() < logistic(slope * score + intercept) ? 1 : 0));
  return { scores, labels };
}

const labelled = fc
  .array(
    fc.tuple(
      fc.oneof(fc.integer({ min: -4, max: 4 }), fc.float({ min: -8, max: 8, noNaN: true })),
      fc.nat(1),
      fc.integer({ min: 1, max: 5 }),
    ),
    { minLength: 1, maxLength: 200 },
  )
  .map((rows) => ({
    scores: Float32Array.from(rows, ([score]) => score),
    labels: rows.map(([, label]) => label),
    weights: rows.map(([, , weight]) => weight),
  }));

/** Mean log-loss of calibrated binary scores. */
function lossOf(calibration: Calibration, scores: Float32Array, labels: ArrayLike<number>): number {
  return logLoss({ probabilities: calibrated(calibration, scores, 1), scores: 1, labels });
}

describe.each([
  ['Platt', fitPlatt],
  ['isotonic', fitIsotonic],
])('%s calibration', (_, fit) => {
  test('gives probabilities that never fall as the score rises', () => {
    fc.assert(
      fc.property(labelled, ({ scores, labels, weights }) => {
        const calibration = fit(scores, labels, weights);
        const ascending = Float32Array.from([-10, ...scores, 10]).sort();
        const probabilities = calibrated(calibration, ascending, 1);
        for (const [i, p] of probabilities.entries()) {
          expect(p).toBeGreaterThanOrEqual(probabilities[i - 1] ?? 0);
          expect(p).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('counts a row of weight w as w rows', () => {
    fc.assert(
      fc.property(labelled, ({ scores, labels, weights }) => {
        const copies = weights.flatMap((weight, row) => Array<number>(weight).fill(row));
        const repeated = fit(
          Float32Array.from(copies, (row) => scores[row]!),
          copies.map((row) => labels[row]!),
        );
        const [a, b] = [fit(scores, labels, weights), repeated].map((fitted) =>
          calibrated(fitted, scores, 1),
        );
        for (const [row, p] of a!.entries()) expect(p).toBeCloseTo(b![row]!, 4);
      }),
    );
  });

  test('corrects overconfident scores', () => {
    const { scores, labels } = sample(20_000, 0.4, -1, 1);
    const fresh = sample(20_000, 0.4, -1, 2);
    const ideal: Calibration = { kind: 'platt', slope: 0.4, intercept: -1 };
    const loss = lossOf(fit(scores, labels), fresh.scores, fresh.labels);
    expect(loss).toBeLessThan(lossOf(LOGISTIC, fresh.scores, fresh.labels) - 0.1);
    expect(loss).toBeLessThan(lossOf(ideal, fresh.scores, fresh.labels) + 0.002);
  });

  test('gives the share of label 1 for uninformative scores, and a constant for reversed ones', () => {
    const labels = [1, 0, 0, 0, 1, 0, 0, 0];
    const [same] = calibrated(fit(new Float32Array(8).fill(3), labels), [3], 1);
    expect(Math.abs(same! - 0.25)).toBeLessThan(0.06);
    const backwards = fit(Float32Array.of(1, 2, 3, 4), [1, 1, 0, 0]);
    expect(new Set(calibrated(backwards, [1, 2, 3, 4], 1)).size).toBe(1);
  });

  test('refuses an empty set of rows', () => {
    expect(() => fit(new Float32Array(0), [])).toThrow(RangeError);
  });
});

describe('Platt calibration', () => {
  test('recovers the slope and intercept that generated the labels', () => {
    const { scores, labels } = sample(200_000, 1.7, -0.6, 3);
    const fitted = fitPlatt(scores, labels) as { slope: number; intercept: number };
    expect(Math.abs(fitted.slope - 1.7)).toBeLessThan(0.03);
    expect(Math.abs(fitted.intercept + 0.6)).toBeLessThan(0.03);
  });

  test('has a finite fit for perfectly separated labels and for a single label', () => {
    const parted = fitPlatt(Float32Array.of(1000, 1001, 1002, 1003), [0, 0, 1, 1]) as { slope: number };
    expect(parted.slope).toBeGreaterThan(0);
    expect(parted.slope).toBeLessThan(100);
    const [p] = calibrated(fitPlatt(Float32Array.of(1, 2), [1, 1]), [5], 1);
    expect(p).toBeGreaterThan(0.5);
    expect(p).toBeLessThan(1);
  });
});

describe('Platt calibration that trusts a slope of 1', () => {
  test.each([1e-7, 1e-5, 1e-3])(
    'has a slope near 1 for scores that differ by %d, whatever their labels',
    (spread) => {
      for (let seed = 1; seed <= 20; seed++) {
        const random = sample(500, 0, -1, seed);
        const near = random.scores.map((score) => 0.01 + spread * score);
        const { slope } = fitPlatt(near, random.labels, undefined, 0.6) as { slope: number };
        expect(Math.abs(slope - 1)).toBeLessThan(0.1);
      }
    },
  );

  const { scores, labels } = sample(20_000, 0.4, -1, 6);
  const slopeAt = (trust: number) => (fitPlatt(scores, labels, undefined, trust) as { slope: number }).slope;

  test('has a slope between the fitted slope and 1, and halfway at equal weight', () => {
    const slopes = [0, 0.5, 1, 3, 1_000].map(slopeAt);
    expect(slopes).toEqual(slopes.toSorted((a, b) => a - b));
    expect(slopes[0]).toBeCloseTo(0.4, 1);
    expect(slopes[2]).toBeCloseTo(0.7, 1);
    expect(slopes[4]).toBeCloseTo(1, 2);
  });

  test('gives its rows their mean rate at any trust', () => {
    for (const trust of [0, 1, 50]) {
      const given = calibrated(fitPlatt(scores, labels, undefined, trust), scores, 1);
      const mean = given.reduce((sum, p) => sum + p) / given.length;
      expect(mean).toBeCloseTo(smoothedTargets(labels).rate, 5);
    }
  });
});

test('a shifted calibration gives shifted scores the original probabilities', () => {
  const { scores, labels } = sample(2_000, 1.2, -1, 7);
  for (const calibration of [fitPlatt(scores, labels), fitIsotonic(scores, labels)]) {
    const before = calibrated(calibration, scores, 1);
    const after = calibrated(
      shifted(calibration, -0.75),
      scores.map((score) => score - 0.75),
      1,
    );
    for (const [i, p] of after.entries()) expect(p).toBeCloseTo(before[i]!, 5);
  }
  expect(() => shifted(SOFTMAX, 1)).toThrow(RangeError);
});

test('smoothed targets lie between the labels, and their rate is never 0 or 1, even for equal labels', () => {
  expect(smoothedTargets([1, 0, 0], [2, 1, 1])).toEqual({ high: 0.75, low: 0.25, rate: 0.5 });
  expect(smoothedTargets([0, 0]).rate).toBe(0.25);
  expect(smoothedTargets([1, 1]).rate).toBe(0.75);
});

describe('isotonic calibration', () => {
  test('pools neighbours out of order and interpolates linearly between the pools', () => {
    const fitted = fitIsotonic(Float32Array.of(0, 1, 2, 3), [0, 1, 0, 1]);
    expect(fitted).toEqual({ kind: 'isotonic', scores: [0, 1.5, 3], probabilities: [0, 0.5, 1] });
    expect([...calibrated(fitted, [-1, 0.75, 1.5, 9], 1)]).toEqual([0, 0.25, 0.5, 1]);
  });

  test('bases every point on at least a hundredth of the rows', () => {
    const { scores, labels } = sample(50_000, 1, 0, 4);
    const fitted = fitIsotonic(scores, labels) as { probabilities: readonly number[] };
    expect(fitted.probabilities.length).toBeLessThanOrEqual(100);
    expect(fitted.probabilities[0]).toBeGreaterThan(0.05);
    expect(fitted.probabilities.at(-1)).toBeLessThan(0.95);
  });

  test('has no group of the few highest scores that are left over', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const draw = uniforms(seed);
      const scores = Float32Array.from({ length: 10_001 }, (_, row) => row);
      const { probabilities } = fitIsotonic(
        scores,
        Array.from(scores, () => Number(draw() < 0.25)),
      ) as { probabilities: readonly number[] };
      expect(probabilities.at(-1)).toBeLessThan(0.5);
    }
  });
});

describe('temperature', () => {
  test('recovers the factor by which scores were multiplied', () => {
    const draw = uniforms(5);
    const classes = 4;
    const true_ = Float32Array.from({ length: 30_000 * classes }, () => 3 * draw());
    const truth = calibrated(SOFTMAX, true_, classes);
    const labels = Uint8Array.from({ length: 30_000 }, (_, row) => {
      let rest = draw();
      for (let k = 0; k < classes; k++) {
        rest -= truth[row * classes + k]!;
        if (rest < 0) return k;
      }
      return classes - 1;
    });
    const sharpened = true_.map((score) => 2.5 * score);
    const fitted = fitTemperature(sharpened, classes, labels) as { temperature: number };
    expect(Math.abs(fitted.temperature - 2.5)).toBeLessThan(0.1);
  });

  test('stays within its bounds for perfectly right and perfectly wrong scores', () => {
    const scores = Float32Array.of(1, 0, 0, 0, 1, 0);
    const right = fitTemperature(scores, 3, [0, 1]) as { temperature: number };
    expect(right.temperature).toBeGreaterThanOrEqual(0.01);
    expect(right.temperature).toBeLessThan(0.1);
    const wrong = fitTemperature(scores, 3, [1, 0]) as { temperature: number };
    expect(wrong.temperature).toBeGreaterThan(10);
    expect(wrong.temperature).toBeLessThanOrEqual(100);
  });

  test('keeps the order of the classes', () => {
    const [hot, cold] = [0.3, 3].map((temperature) =>
      calibrated({ kind: 'softmax', temperature }, [2, 1, 3], 3),
    );
    for (const p of [hot!, cold!]) expect(p[2]).toBeGreaterThan(p[0]!);
    expect(hot![2]).toBeGreaterThan(cold![2]!);
  });
});

test('a binary calibration is refused for several classes, and the reverse', () => {
  expect(() => calibrated(LOGISTIC, [1, 2, 3], 3)).toThrow(RangeError);
  expect(() => calibrated(SOFTMAX, [1], 1)).toThrow(RangeError);
});
