import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { overfittingProbability } from './backtest-overfitting.ts';
import { chanceBetterThanRandom } from './better-than-random.ts';
import { RandomExchanges, randomExchange } from './exchanged-names.ts';
import { annualReturn, annualVolatility, drawdownsOf, returnsOf, sortinoRatio } from './equity.ts';
import { momentsOf } from './moments.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { deflatedSharpe, expectedBestSharpe, probabilisticSharpe, sharpeRatio } from './sharpe.ts';
import { criticalDistance, distanceFromUniform } from './uniform-fixture.ts';

interface Vectors {
  normal: [x: number, probability: number][];
  quantile: [probability: number, x: number][];
  expected_best: [count: number, variance: number, sharpe: number][];
  series: {
    returns: number[];
    sharpe: number;
    skewness: number;
    kurtosis: number;
    probabilistic: [benchmark: number, probability: number][];
    annual_volatility: number;
    annual_return: number;
    sortino: number;
    max_drawdown: number;
  }[];
  trials: { returns: number[][]; overfitting: number };
}

/** Made by the script beside it. */
const VECTORS = JSON.parse(
  readFileSync(new URL('reference-vectors.json', import.meta.url), 'utf8'),
) as Vectors;
const DAYS = 252;

const equityOf = (returns: readonly number[]) =>
  returns.reduce((equity, one) => [...equity, equity.at(-1)! * (1 + one)], [1]);

describe('within 1e-9 of published formulas by numpy and scipy', () => {
  test('normal probabilities and quantiles, far into the tails', () => {
    for (const [x, probability] of VECTORS.normal) {
      expect(normalCdf(x)).toBeCloseTo(probability, 13);
      if (probability > 0) expect(normalCdf(x) / probability).toBeCloseTo(1, 9);
    }
    for (const [probability, x] of VECTORS.quantile) expect(normalQuantile(probability)).toBeCloseTo(x, 9);
  });

  test('the best Sharpe ratio to expect of worthless attempts', () => {
    for (const [count, variance, sharpe] of VECTORS.expected_best)
      expect(expectedBestSharpe({ count, variance })).toBeCloseTo(sharpe, 9);
  });

  test.each(VECTORS.series)('every figure of a series', (of) => {
    const moments = momentsOf(of.returns);
    const sharpe = sharpeRatio(of.returns);
    expect(sharpe).toBeCloseTo(of.sharpe, 9);
    expect(moments.skewness).toBeCloseTo(of.skewness, 9);
    expect(moments.kurtosis).toBeCloseTo(of.kurtosis, 9);
    for (const [benchmark, probability] of of.probabilistic)
      expect(probabilisticSharpe({ sharpe, ...moments }, benchmark)).toBeCloseTo(probability, 9);
    expect(annualVolatility(of.returns, DAYS)).toBeCloseTo(of.annual_volatility, 9);
    expect(annualReturn(of.returns, DAYS)).toBeCloseTo(of.annual_return, 9);
    expect(sortinoRatio(of.returns, DAYS)).toBeCloseTo(of.sortino, 9);
    const depths = drawdownsOf(equityOf(of.returns)).map(({ depth }) => depth);
    expect(Math.max(...depths)).toBeCloseTo(of.max_drawdown, 9);
  });

  test('the probability of overfitting', () => {
    expect(overfittingProbability(VECTORS.trials.returns)).toBeCloseTo(VECTORS.trials.overfitting, 9);
  });
});

test('the example of the paper on the deflated Sharpe ratio gives its figures', () => {
  const daily = 1 / Math.sqrt(250);
  const trials = { count: 100, variance: 0.5 * daily ** 2 };
  expect(expectedBestSharpe(trials)).toBeCloseTo(0.1132, 4);
  const best = { sharpe: 2.5 * daily, observations: 1_250, skewness: -3, kurtosis: 10 };
  expect(deflatedSharpe(best, trials)).toBeCloseTo(0.9004, 4);
});

describe('what is not defined is NaN or undefined, never a number', () => {
  test('of series that never vary or are too short', () => {
    expect(sharpeRatio([0.01, 0.01, 0.01])).toBeNaN();
    expect(sharpeRatio([0.01])).toBeNaN();
    expect(sortinoRatio([0.01, 0.02], DAYS)).toBeNaN();
    expect(probabilisticSharpe({ sharpe: NaN, ...momentsOf([]) })).toBeNaN();
  });

  test('of fewer than ten strategies, or days that do not fill the blocks', () => {
    const strategies = (count: number, days: number) =>
      Array.from({ length: count }, (_, i) =>
        Float64Array.from({ length: days }, (_, day) => ((i + 3) * day) % 7),
      );
    expect(overfittingProbability(strategies(9, 160))).toBeUndefined();
    expect(overfittingProbability(strategies(10, 31))).toBeUndefined();
    expect(overfittingProbability([])).toBeUndefined();
    expect(chanceBetterThanRandom(1, [])).toBeUndefined();
    expect(() => normalQuantile(1.1)).toThrow('between 0 and 1');
  });
});

test('a normal quantile is the inverse of the probability', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (probability) => {
      expect(normalCdf(normalQuantile(probability))).toBeCloseTo(probability, 12);
    }),
  );
});

test('drawdowns do not overlap, and end where the high is reached again', () => {
  const series = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(series, (returns) => {
      const equity = equityOf(returns);
      let before = 0;
      for (const { from, lowest, recovered, depth } of drawdownsOf(equity)) {
        expect(from).toBeGreaterThanOrEqual(before);
        const end = recovered ?? equity.length;
        const fallen = equity.slice(from + 1, end);
        expect(Math.max(...fallen)).toBeLessThan(equity[from]!);
        expect(Math.min(...fallen)).toBe(equity[lowest]);
        expect(depth).toBeCloseTo(1 - equity[lowest]! / equity[from]!, 12);
        if (recovered !== undefined) expect(equity[recovered]).toBeGreaterThanOrEqual(equity[from]!);
        before = end;
      }
      expect(returnsOf(equity)).toHaveLength(returns.length);
    }),
  );
});

test('the chance to be better than random is uniform for what is random itself', () => {
  const random = new Random(5);
  const chances = Array.from({ length: 1_000 }, () => {
    const draws = Float64Array.from({ length: 500 }, () => random.normal());
    return chanceBetterThanRandom(random.normal(), draws)!;
  });
  expect(distanceFromUniform(chances)).toBeLessThan(criticalDistance(chances.length));
});

test('the best of strategies without merit is found to be overfitted about half of the time', () => {
  const random = new Random(3);
  const noise = () =>
    Array.from({ length: 20 }, () => Float64Array.from({ length: 320 }, () => random.normal()));
  const probabilities = Array.from({ length: 12 }, () => overfittingProbability(noise())!);
  const mean = probabilities.reduce((sum, one) => sum + one, 0) / probabilities.length;
  expect(mean).toBeGreaterThan(0.3);
  expect(mean).toBeLessThan(0.7);
  const withMerit = noise();
  withMerit[7] = withMerit[7]!.map((one) => one + 0.5);
  expect(overfittingProbability(withMerit)).toBeLessThan(0.02);
});

/** What {@link RandomExchanges} finds, in one permutation; -1 if the way has no candidate. */
function exchanged(next: Uint16Array, stock: number, isCandidate: Uint8Array, start: number): number {
  let chosen = next[stock]!;
  for (let steps = 1; isCandidate[start + chosen] === 0; steps++) {
    if (steps === next.length) return -1;
    chosen = next[chosen]!;
  }
  return chosen;
}

test('names that are exchanged side by side are those that one permutation after the other gives', () => {
  const STOCKS = 12;
  const marks = fc.array(fc.nat({ max: 1 }), { minLength: 2 * STOCKS, maxLength: 2 * STOCKS });
  const members = fc.subarray([...Array(STOCKS).keys()], { minLength: 1 });
  fc.assert(
    fc.property(fc.nat(), members, marks, fc.nat(), (seed, some, candidates, at) => {
      // Only a member can be a candidate.
      const isCandidate = Uint8Array.from(candidates, (mark, i) => (some.includes(i % STOCKS) ? mark : 0));
      const stock = some[at % some.length]!;
      const random = new Random(seed);
      const permutations = Array.from({ length: 5 }, () => randomExchange(some, STOCKS, random));
      const exchanges = new RandomExchanges(some, STOCKS, { count: 5, random: new Random(seed) });
      for (const start of [STOCKS, 0]) {
        exchanges.onDay(isCandidate, start);
        const chosen = [...exchanges.inPlaceOf(stock)];
        expect(chosen.map((one) => (isCandidate[start + one] === 1 ? one : -1))).toEqual(
          permutations.map((next) => exchanged(next, stock, isCandidate, start)),
        );
      }
    }),
  );
});
