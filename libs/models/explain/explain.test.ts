import { beforeAll, describe, expect, test } from 'vitest';
import { outsiders } from '#quant/universe/candidates.ts';
import { DEFAULTS as ofF } from '../combined/combined-fixture.ts';
import { panel } from '../fixtures/given-probabilities-fixture.ts';
import { params as declaredByF } from '../combined/params.ts';
import { Localised } from '#foundation/text/localised.ts';
import { screen as screenOfF } from '../combined/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { ContributionLines } from '../reasons/schema.ts';
import { explainName, whyOutside } from './explain-name.ts';
import {
  packExplanation,
  runExplanation,
  unpackExplanation,
  type RunExplanation,
} from '../picks/run-explanation.ts';
import { stockScores } from './stock-scores.ts';

const LAST_DAY = panel.dayCount - 1;

describe('an explanation', () => {
  let explanation: RunExplanation;
  let result: Record<string, unknown>;
  const notice = new Localised('Ini.', 'This.');
  const params = { ...ofF, min_probability: 45, min_signals: 1, max_picks: 5 };
  beforeAll(async () => {
    const output = await screenOfF.run(screenInput({ panel, params }));
    result = output.result;
    explanation = unpackExplanation(packExplanation(output.explanation!));
  });
  const explained = (ticker: string, language: 'id' | 'en' = 'id') =>
    explainName(explanation, ticker, { language, params: declaredByF, datasetVersion: 'v1' });

  test('of a pick has the contributions and the reasons of the result', () => {
    const rows = result['df_result'] as { Ticker: string; reasons: Localised[]; contributions: object }[];
    expect(rows.length).toBeGreaterThan(0);
    for (const [i, row] of rows.entries()) {
      for (const language of ['id', 'en'] as const) {
        expect(explained(row.Ticker, language)).toMatchObject({
          model_id: 'model_f_combined',
          ticker: row.Ticker,
          picked: true,
          place: i + 1,
          fell_at: null,
          shortfalls: [],
          contributions: row.contributions,
          reasons: row.reasons.map((reason) => reason.in[language]),
          notice: (result['notice'] as Localised).in[language],
        });
      }
    }
  });

  test('of any other name says where it fell and also has its contributions', () => {
    for (const { ticker, fell } of explanation.names) {
      if (!fell) continue;
      const found = explained(ticker, 'en')!;
      expect(found).toMatchObject({ picked: false, fell_at: fell.step });
      expect(found.steps.at(-1)).toEqual({ name: fell.step, passed: false });
      expect(found.steps.slice(0, -1).every(({ passed }) => passed)).toBe(true);
      expect(found.message).toContain(fell.step);
      const { features, base_value, calibration, log_odds } = found.contributions as ContributionLines;
      const sum = features.reduce((total, line) => total + line.log_odds, base_value + calibration!);
      expect(Math.abs(sum - log_odds!)).toBeLessThan(1e-9);
      expect(found.reasons).toHaveLength(5);
    }
  });

  test('is what the scores of the run say of every name', () => {
    const scores = stockScores(explanation);
    expect(scores.map(({ ticker }) => ticker)).toEqual(explanation.names.map(({ ticker }) => ticker));
    for (const { ticker, probability, rank, picked } of scores) {
      const { place, contributions, ...found } = explained(ticker)!;
      expect([picked, rank ?? null]).toEqual([found.picked, place]);
      expect((contributions as ContributionLines).probability).toBe(probability);
    }
    const { model: _, ...untrained } = explanation;
    expect(stockScores(untrained).every(({ probability }) => probability === undefined)).toBe(true);
  });

  test('says whether a run allows each suggested change', () => {
    const fell = {
      step: 'total_liquid',
      shortfalls: [
        { param: 'min_price', value: 60, threshold: 500, changes: { min_price: 60 } },
        { param: 'min_daily_val', value: 2e8, threshold: 1e10, changes: { min_daily_val: 2e8 } },
      ],
    };
    const one = runExplanation({
      modelId: 'model_f_combined',
      asOf: '2026-09-30',
      steps: [{ name: 'total_liquid' }],
      notice,
      names: [{ ticker: 'AAAA', fell, place: null }],
      unbuyable: [],
      outside: outsiders(panel, LAST_DAY),
    });
    const { shortfalls, message, contributions } = explainName(one, 'AAAA', {
      language: 'id',
      params: declaredByF,
      datasetVersion: 'v1',
    })!;
    expect(shortfalls.map(({ allowed }) => allowed)).toEqual([false, true]);
    expect(message).toBe(
      'AAAA tidak melewati langkah total_liquid: min_price meminta 500, nilainya 60; min_daily_val meminta ' +
        '10.000.000.000, nilainya 200.000.000.',
    );
    expect(contributions).toBeNull();
  });

  test('does not exist for a name outside the universe, which gets a reason instead', () => {
    expect(explained('ZZZZ')).toBeUndefined();
    expect(whyOutside(explanation, 'ZZZZ')).toBe(
      `The data of this run, up to ${explanation.asOf}, does not have ZZZZ.`,
    );
    const outside = {
      untraded: ['A'],
      short_history: ['B'],
      rarely_traded: ['C'],
      special_board: ['D'],
      too_small: ['E'],
    };
    const causes = ['A', 'B', 'C', 'D', 'E'].map((ticker) => whyOutside({ ...explanation, outside }, ticker));
    expect(causes).toEqual([
      expect.stringMatching(/^A is not in the universe of this run of .*: it did not trade on that day\.$/),
      expect.stringMatching(/: it has traded on fewer than 120 days\.$/),
      expect.stringMatching(/: it traded on fewer than 18 of the last 20 days\.$/),
      expect.stringMatching(/: it trades like a stock of a special board\.$/),
      expect.stringMatching(/: less than Rp100 million of it is traded a day\.$/),
    ]);
    const isUnknown = (ticker: string) => whyOutside(explanation, ticker).includes('does not have');
    const unexplained = panel.columns.tickers.filter((ticker) => !explained(ticker));
    expect(unexplained.filter(isUnknown)).toEqual([]);
    expect(whyOutside({ ...explanation, unbuyable: ['ZZZZ'] }, 'ZZZZ')).toContain('upper limit');
    expect(whyOutside({ ...explanation, positions: [] }, 'ZZZZ')).toContain('positions');
  });

  test('is packed in less than 256 KiB', () => {
    expect(packExplanation(explanation).length).toBeLessThan(256 * 1024);
  });
});
