import { expect, test } from 'vitest';
import type { RegimeHistory } from '../regime/regime-history.ts';
import { MARKET_FEATURES } from './market-features.ts';

const DAYS = 60;

const history: RegimeHistory = {
  days: {
    withMa20: new Uint16Array(DAYS),
    withMa50: new Uint16Array(DAYS),
    aboveMa20: new Uint16Array(DAYS),
    aboveMa50: new Uint16Array(DAYS),
    indexReturn: new Float64Array(DAYS),
  },
  score: Float64Array.from({ length: DAYS }, (_, day) => day - 40),
  regime: new Array<'BEAR'>(DAYS).fill('BEAR'),
};

test('the regime score is in units of 100, with a formula and a source', () => {
  const [feature, ...others] = MARKET_FEATURES;
  expect(others).toEqual([]);
  expect(feature!.name).toBe('regime_score');
  expect([...feature!.of(history)]).toEqual([...history.score].map((points) => points / 100));
  for (const words of [feature!.formula, feature!.source]) expect(words).toMatch(/^\S.{4,}\S$/);
});
