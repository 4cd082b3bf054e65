import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarketDays } from './market-days.ts';
import { confirmedRegimes, pendingRegime, regimeOfScore, regimeScores } from './regime.ts';

test.each([
  [100, 'BULL'],
  [25, 'BULL'],
  [24.99, 'SIDEWAYS'],
  [-24.99, 'SIDEWAYS'],
  [-25, 'BEAR'],
])('a score of %d means %s', (score, regime) => {
  expect(regimeOfScore(score)).toBe(regime);
});

describe('the regime', () => {
  test('is always the previous regime or the one the last three scores agree on', () => {
    const anyScores = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(anyScores, (list) => {
        const scores = Float64Array.from(list);
        const regimes = confirmedRegimes(scores);
        regimes.forEach((regime, day) => {
          const lastThree = new Set([...scores.slice(Math.max(0, day - 2), day + 1)].map(regimeOfScore));
          const agreed = day >= 2 && lastThree.size === 1;
          expect(regime).toBe(agreed ? [...lastThree][0] : day === 0 ? 'SIDEWAYS' : regimes[day - 1]);
        });
      }),
    );
  });

  test('is pending until it is confirmed, and nothing is pending when scores and regime agree', () => {
    const score = Float64Array.of(50, 50, 50, -50, -50, -50, 0);
    const history = { score, regime: confirmedRegimes(score) };
    expect(history.regime.map((_, day) => pendingRegime(history, day))).toEqual([
      { regime: 'BULL', daysLeft: 2 },
      { regime: 'BULL', daysLeft: 1 },
      null,
      { regime: 'BEAR', daysLeft: 2 },
      { regime: 'BEAR', daysLeft: 1 },
      null,
      { regime: 'SIDEWAYS', daysLeft: 2 },
    ]);
  });

  test('becomes the pending one after its remaining days if the scores keep agreeing', () => {
    const anyScores = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(anyScores, (list) => {
        const score = Float64Array.from(list);
        const day = list.length - 1;
        const pending = pendingRegime({ score, regime: confirmedRegimes(score) }, day);
        const later = Float64Array.from([...list, ...Array<number>(2).fill(list.at(-1)!)]);
        const regimes = confirmedRegimes(later);
        if (pending) {
          expect(regimes[day + pending.daysLeft]).toBe(pending.regime);
          expect(regimes[day + pending.daysLeft - 1]).not.toBe(pending.regime);
        } else {
          expect(regimes[day]).toBe(regimeOfScore(list.at(-1)!));
        }
      }),
    );
  });
});

describe('the score', () => {
  const days = (count: number, of: Partial<Record<keyof MarketDays, number>>): MarketDays => ({
    withMa20: new Uint16Array(count).fill(of.withMa20 ?? 0),
    withMa50: new Uint16Array(count).fill(of.withMa50 ?? 0),
    aboveMa20: new Uint16Array(count).fill(of.aboveMa20 ?? 0),
    aboveMa50: new Uint16Array(count).fill(of.aboveMa50 ?? 0),
    indexReturn: new Float64Array(count).fill(of.indexReturn ?? 0),
  });
  const counted = { withMa20: 200, withMa50: 100 };

  test('is 100 when everything rises, -100 when everything falls, 0 when nothing is known', () => {
    const rising = { ...counted, aboveMa20: 200, aboveMa50: 100, indexReturn: 0.01 };
    expect(regimeScores(days(80, rising))[79]).toBeCloseTo(100, 10);
    expect(regimeScores(days(80, { ...counted, indexReturn: -0.01 }))[79]).toBeCloseTo(-100, 10);
    expect(regimeScores(days(80, {}))[79]).toBe(0);
  });

  test('adds breadth and the index by their weights', () => {
    // 60 % and 30 % are above their averages; 20 days of 0.2 % give 4.077 %; the index is above both averages.
    const market = days(80, { ...counted, aboveMa20: 120, aboveMa50: 30, indexReturn: 0.002 });
    const momentum = 12.5 * 100 * (1.002 ** 20 - 1);
    const expected = 0.3 * 20 + 0.25 * -40 + 0.25 * momentum + 0.2 * 100;
    expect(regimeScores(market)[79]).toBeCloseTo(expected, 10);
  });

  test('counts a part without history as 0', () => {
    const young = days(10, { ...counted, aboveMa20: 200, aboveMa50: 100, indexReturn: 0.01 });
    expect(regimeScores(young)[9]).toBeCloseTo(55, 10);
  });

  test('stays between -100 and 100 whatever the market does', () => {
    const anyDay = fc.record({ above: fc.nat(100), ret: fc.double({ min: -0.35, max: 0.35, noNaN: true }) });
    fc.assert(
      fc.property(fc.array(anyDay, { minLength: 1, maxLength: 120 }), (list) => {
        const market = days(list.length, { withMa20: 100, withMa50: 100 });
        list.forEach(({ above, ret }, day) => {
          market.aboveMa20[day] = market.aboveMa50[day] = above;
          market.indexReturn[day] = ret;
        });
        for (const score of regimeScores(market)) expect(Math.abs(score)).toBeLessThanOrEqual(100 + 1e-9);
      }),
      { numRuns: 50 },
    );
  });
});
