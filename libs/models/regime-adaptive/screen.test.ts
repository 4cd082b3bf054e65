import { describe, expect, test } from 'vitest';
import type { Regime } from '#quant/regime/regime.ts';
import { expectOrderIsExplained } from '../picks/pick-row-fixture.ts';
import type { RegimeAdaptiveParams } from './params.ts';
import { dayOf, past, probability, REGIMES, screen } from './regime-adaptive-fixture.ts';
import { history, LAST_DAY, panel, table } from '../fixtures/given-probabilities-fixture.ts';
import { REGIME_RULES } from './selection.ts';

/** Rank of a row of the feature table, -1 to 1. */
function rankOf(feature: string, row: number): number {
  const rank = new Float32Array(1);
  table.read(table.feature(feature), Uint32Array.of(row), rank);
  return rank[0]!;
}

function suits(regime: Regime, row: number): boolean {
  const { leavesOut } = REGIME_RULES[regime];
  if (!leavesOut) return true;
  const rank = rankOf(leavesOut.feature, row);
  return rank >= (leavesOut.below ?? -1) && rank <= (leavesOut.above ?? 1);
}

describe('the regime', () => {
  test.each(['BULL', 'SIDEWAYS', 'BEAR'] as const)(
    'is read from the market of the analysed day: %s',
    (regime) => {
      const { diag, df_result, effective_params } = screen({ regime: 'auto' }, dayOf(regime));
      expect(diag).toMatchObject({ regime, regime_source: 'market' });
      expect(effective_params).toMatchObject({ regime: regime.toLowerCase() });
      expect(diag.regime_score).toBeCloseTo(history.score[dayOf(regime)]!, 1);
      for (const row of df_result) expect(row['Regime']).toBe(regime);
    },
  );

  test('is the one that the caller names, whatever the market', () => {
    for (const regime of REGIMES) {
      for (const read of ['BULL', 'SIDEWAYS', 'BEAR'] as const) {
        const { diag } = screen({ regime }, dayOf(read));
        expect(diag).toMatchObject({ regime: regime.toUpperCase(), regime_source: 'parameter' });
        expect(diag.regime_score).toBeCloseTo(history.score[dayOf(read)]!, 1);
      }
    }
  });

  test('BEAR requires five more points of probability and halves max_picks, rounded up', () => {
    for (const regime of ['bull', 'sideways'] as const)
      expect(screen({ regime, max_picks: 7 }).diag).toMatchObject({ min_probability: 60, max_picks: 7 });
    const bear = screen({ regime: 'bear', max_picks: 7 });
    expect(bear.diag).toMatchObject({ min_probability: 65, max_picks: 4 });
    expect(bear.effective_params).toEqual({ regime: 'bear', min_probability: 65, max_picks: 4 });
    expect(bear.pick_count).toBe(4);
    for (const row of bear.df_result) expect(probability(row)).toBeGreaterThanOrEqual(65);
    expect(screen({ regime: 'bear', max_picks: 1 }).diag.max_picks).toBe(1);
    expect(screen({ regime: 'bear', min_probability: 98 }).diag.min_probability).toBe(100);
  });

  test('BEAR raises the bar for past forecasts of bear days only, or of all days when the caller names it', () => {
    const rule = (regime: Regime) => (regime === 'BEAR' ? { bar: 93, most: 1 } : { bar: 88, most: 2 });
    const picked = (regimeOf: (day: number) => Regime) =>
      [...Map.groupBy(past, ({ day }) => day)].reduce((sum, [day, ofDay]) => {
        const { bar, most } = rule(regimeOf(day));
        const isPassing = (one: (typeof ofDay)[number]) =>
          one.probability >= bar && suits(regimeOf(day), one.row);
        return sum + Math.min(most, ofDay.filter(isPassing).length);
      }, 0);
    const read = (day: number) => history.regime[day]!;
    expect(new Set(past.map(({ day }) => read(day) === 'BEAR')).size).toBe(2);
    const candidates = (regime: RegimeAdaptiveParams['regime']) =>
      screen({ regime, min_probability: 88, max_picks: 2 }).model_quality.candidates;
    expect(candidates('auto')).toBe(picked(read));
    expect(candidates('bear')).toBe(picked(() => 'BEAR'));
    expect(candidates('bull')).toBe(picked(() => 'BULL'));
  });

  test.each(REGIMES)('ranks equally likely names by its own style: %s', (regime) => {
    const rule = REGIME_RULES[regime.toUpperCase() as Regime];
    const equal = screen({ regime, max_picks: 20 }, LAST_DAY, () => 80).df_result;
    const styleOf = (ticker: string) => {
      const row = table.rowAt(panel.tickerIndex(ticker), LAST_DAY);
      return Object.entries(rule.style).reduce((sum, [name, weight]) => sum + weight * rankOf(name, row), 0);
    };
    const styles = equal.map((row) => Number(styleOf(row['Ticker']).toFixed(6)));
    expect(styles.length).toBeGreaterThan(5);
    expect(styles).toEqual(styles.toSorted((a, b) => b - a));
    expect(styles[0]).toBeGreaterThan(0.3);
    expect(Object.values(rule.style).reduce((sum, weight) => sum + Math.abs(weight), 0)).toBeCloseTo(1, 12);
  });

  test('leaves out names that do not suit it, so each regime passes different names', () => {
    const codes = (regime: Regime) => {
      const requested = regime.toLowerCase() as RegimeAdaptiveParams['regime'];
      const { df_result, diag } = screen({ regime: requested, max_picks: 20, min_probability: 90 });
      return { codes: df_result.map((row) => row['Ticker']), diag };
    };
    const everyone = codes('BEAR').diag;
    expect(everyone.after_regime).toBe(everyone.total_liquid);
    for (const regime of ['BULL', 'SIDEWAYS'] as const) {
      const { codes: picked, diag } = codes(regime);
      expect(diag.after_regime).toBeLessThan(diag.total_liquid);
      for (const code of picked)
        expect(suits(regime, table.rowAt(panel.tickerIndex(code), LAST_DAY)), code).toBe(true);
    }
    expect(codes('BULL').codes.toSorted()).not.toEqual(codes('SIDEWAYS').codes.toSorted());
  });

  test('never puts a name before one that is more than 25 points likelier', () => {
    for (const regime of REGIMES) {
      const rows = screen({ regime, max_picks: 20 }).df_result;
      rows.forEach((row, i) => {
        for (const later of rows.slice(i + 1))
          expect(probability(later) - probability(row)).toBeLessThan(25.1);
      });
    }
  });
});

test('rows have the regime that was used, and scores are explained by probability and style', () => {
  for (const regime of ['auto', ...REGIMES] as const) {
    const { df_result } = screen({ regime, min_probability: 30, max_picks: 20 });
    expect(df_result.length).toBeGreaterThan(5);
    for (const row of df_result) {
      expect(row['Regime']).toBe(regime === 'auto' ? history.regime[LAST_DAY] : regime.toUpperCase());
      expect(row['Score']).toBeGreaterThanOrEqual(0);
      expect(row['Score']).toBeLessThanOrEqual(100);
      expect(Math.abs(row['Score'] - probability(row))).toBeLessThan(20.05);
    }
    expectOrderIsExplained(df_result, 'Style');
  }
});

test('an empty result names the threshold in effect and suggests one that lets names through', () => {
  const { suggestions, message } = screen(
    { regime: 'bear', min_probability: 80 },
    LAST_DAY,
    () => 81.4,
  ).empty!;
  expect(message).toMatch(
    /sesuai dengan pasar yang turun dan 0 mencapai probabilitas 85 yang berlaku di sana\. Coba longgarkan salah satu/,
  );
  expect(suggestions[0]).toMatchObject({ label: 'Probabilitas minimum', current: '80', suggested: '76' });
  expect(suggestions[0]!.why).toMatch(
    /^Nilai tertinggi hari ini 81,4 sehingga ambang 85 \(80 ditambah 5 poin karena kondisi pasar\) menyaring semua saham\. \d+ saham akan lolos\.$/,
  );
});

test.each<[string, 'bull' | 'bear', number, boolean]>([
  ['below 50', 'bull', 47.4, true],
  ['of 50 or more', 'bull', 50.4, false],
  ['below 50 that a bear market raises above it', 'bear', 50.4, false],
])(
  'a suggested probability %s warns of below-average names only when they are',
  (_, regime, highest, isBelow) => {
    const { suggestions } = screen({ regime, min_probability: 60 }, LAST_DAY, () => highest).empty!;
    const { label, why } = suggestions[0]!;
    expect(label).toBe('Probabilitas minimum');
    const caution = / saham akan lolos\. Di bawah 50 berarti kurang mungkin daripada rata-rata pasar\.$/;
    expect(caution.test(why)).toBe(isBelow);
  },
);
