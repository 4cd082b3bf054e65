import { expect, test } from 'vitest';
import { Random } from '#quant/random.ts';
import { blockResamples } from './block-bootstrap.ts';
import { pickFigures, universeOf, type PickWeek } from './pick-figures.ts';

const pick = (won: boolean, netReturn: number) => ({ code: 'AAAA', won, netReturn });
const resamplesOf = (weeks: number) => blockResamples(weeks, { resamples: 400, blockLength: 4, seed: 1 });

test('lift compares the picks with as many blind picks of the same days', () => {
  const weeks: PickWeek[] = [
    {
      picks: [pick(true, 0.09), pick(true, 0.07), pick(false, -0.06)],
      unfilled: 2,
      universe: { names: 100, winRate: 0.5, meanNetReturn: 0.01 },
    },
    {
      picks: [pick(false, -0.02)],
      unfilled: 0,
      universe: { names: 100, winRate: 0.1, meanNetReturn: -0.03 },
    },
    { picks: [], unfilled: 0, universe: { names: 100, winRate: 0.9, meanNetReturn: 0.2 } },
  ];
  const figures = pickFigures(weeks, resamplesOf(3));
  expect(figures).toMatchObject({ weeks: 3, weeks_with_picks: 2, picks: 4, unfilled: 2, win_rate: 0.5 });
  expect(figures.base_rate).toBeCloseTo((3 * 0.5 + 0.1) / 4, 12);
  expect(figures.lift.value).toBeCloseTo(2 / 1.6, 12);
  expect(figures.payoff).toBeCloseTo(0.08 / 0.04, 12);
  expect(figures.net_return.value).toBeCloseTo(0.08 / 4, 12);
  expect(figures.excess_net_return.value).toBeCloseTo((0.08 - (3 * 0.01 - 0.03)) / 4, 12);
});

test('a pick that nobody could sell counts in rates and has no return, and is told', () => {
  const weeks: PickWeek[] = [
    {
      picks: [pick(true, 0.09), pick(false, -0.06), pick(false, NaN)],
      unfilled: 0,
      universe: universeOf([pick(true, 0.1), pick(false, -0.08), pick(false, NaN), pick(false, NaN)]),
    },
  ];
  const figures = pickFigures(weeks, resamplesOf(1));
  expect(figures).toMatchObject({ picks: 3, unsold: 1, win_rate: 1 / 3, base_rate: 0.25, payoff: 1.5 });
  expect(figures.net_return.value).toBeCloseTo(0.015, 12);
  expect(figures.excess_net_return.value).toBeCloseTo(0.015 - 0.01, 12);
});

test('figures of a part use only its own weeks', () => {
  const week = (year: string, won: boolean) => ({
    year,
    picks: [pick(won, won ? 0.1 : -0.1)],
    unfilled: 0,
    universe: { names: 10, winRate: 0.5, meanNetReturn: 0 },
  });
  const weeks = [week('2022', true), week('2023', false), week('2022', true)];
  const figures = pickFigures(weeks, resamplesOf(3), ({ year }) => year === '2022');
  expect(figures).toMatchObject({ weeks: 2, picks: 2, win_rate: 1, payoff: null });
  expect(figures.lift.value).toBe(2);
});

test('without picks every figure is null', () => {
  const weeks = Array.from({ length: 5 }, () => ({
    picks: [],
    unfilled: 0,
    universe: { names: 10, winRate: 0.2, meanNetReturn: 0 },
  }));
  const none = { value: null, low: null, high: null };
  const figures = pickFigures(weeks, resamplesOf(5));
  expect(figures).toMatchObject({ picks: 0, win_rate: null, base_rate: null, lift: none, payoff: null });
});

/** Weeks of ten names drawn from a hundred whose outcomes share a market. The picks win `edge` times as often as the names. */
function marketWeeks(edge: number, seed: number): PickWeek[] {
  const random = new Random(seed);
  return Array.from({ length: 100 }, () => {
    const winRate = random.between(0.1, 0.4);
    const picks = Array.from({ length: 10 }, () => pick(random.chance(edge * winRate), 0));
    return { picks, unfilled: 0, universe: { names: 100, winRate, meanNetReturn: 0 } };
  });
}

test('the interval of the lift exceeds 1 rarely without an edge and nearly always with one', () => {
  const above = (edge: number) =>
    Array.from({ length: 60 }, (_, seed) => pickFigures(marketWeeks(edge, seed), resamplesOf(100))).filter(
      ({ lift }) => lift.low! > 1,
    ).length;
  expect(above(1)).toBeLessThan(6);
  expect(above(1.4)).toBeGreaterThan(54);
});
