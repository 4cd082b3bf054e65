import { describe, expect, test } from 'vitest';
import type { Evidence } from '#proto/saring/models/v1/catalogue.ts';
import { cautionOf } from '#models/trained/out-of-fold.ts';
import { walkForwardEvidence } from '#models/results/evidence.ts';
import { describeFleet, describeRun } from './welcome.ts';

const realData = { version: 'ds_2', kind: 'real', broker_data: 'real' };
const run = {
  dataset: realData,
  model: 'confluence_filter',
  targetDate: '2025-02-28',
  notice: 'The number is a count. This is no recommendation to buy or sell.',
  durationSeconds: 0.41,
  picks: [
    { Ticker: 'AAAA', Signals: 3, 'Last Close': '1,250' },
    { Ticker: 'BBBB', Signals: 2, 'Last Close': '95' },
  ],
};

/** Evidence as the API sends it: what is absent in the message is null. */
function asAnswered(evidence: Evidence): Evidence {
  return { ...{ net_return_pct: null, net_return_verdict: null }, ...evidence } as Evidence;
}

describe('the output of the first run', () => {
  test('marks synthetic data as SYNTHETIC, but not real data', () => {
    const madeUp = { version: 'ds_1', kind: 'synthetic', broker_data: 'synthetic' };
    const synthetic = describeRun({ ...run, dataset: madeUp }).join('\n');
    const real = describeRun(run).join('\n');
    expect(synthetic).toContain('SYNTHETIC');
    expect(real).not.toContain('SYNTHETIC');
    expect(real).toContain('2025-02-28');
  });

  test('ends the picks with the notice that they are no recommendation', () => {
    expect(describeRun(run).at(-1)).toBe('This is no recommendation to buy or sell.');
  });

  test('says first in the notice that a model was no better than guessing, also without picks', () => {
    const caution = cautionOf({ auc: 0.476 })!.in.en;
    for (const picks of [run.picks, []]) {
      const lines = describeRun({ ...run, picks, notice: `${caution} ${run.notice}` });
      expect(lines.join(' ')).toContain(`${caution} The number is a count.`);
    }
  });

  test('shows the chance of a win beside the usual one, and what such picks were worth', () => {
    const picks = [{ Ticker: 'AAAA', Rank: 1, Score: 75.9, win_chance_pct: 34.7, base_rate_pct: 25 }];
    const said = (model: string) => {
      const evidence = asAnswered(walkForwardEvidence(model)!);
      return describeRun({ ...run, model, picks, evidence }).join('\n');
    };
    const text = said('model_f_combined');
    expect(text).toMatch(/Rank +Ticker +Chance % +Usual % +Score/);
    expect(text).toMatch(/1 +AAAA +34\.7 +25 +75\.9/);
    expect(text).toContain('Best first, by score');
    const oneLine = text.replaceAll('\n', ' ');
    expect(oneLine).toContain(
      'returned 0.52 % (its interval holds 0) and 0.75 % more than the average stock',
    );
    expect(oneLine).toContain('after costs (95 %: 0.21 to 1.33): better than chance.');
    expect(oneLine).toContain('sold on any day, also where nobody bid.');
    expect(said('confluence_filter').replaceAll('\n', ' ')).toContain(
      'returned 0.47 % less than the average stock after costs (95 %: -0.75 to -0.19): worse than chance.',
    );
  });

  test('breaks sentences between words and loses none', () => {
    const notice = `The chance of these picks is ${'very '.repeat(30)}long. This is no recommendation.`;
    const lines = describeRun({ ...run, notice });
    expect(lines.join(' ')).toContain(notice);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('marks synthetic broker rows on real bars', () => {
    const text = describeRun({ ...run, dataset: { ...realData, broker_data: 'synthetic' } }).join('\n');
    expect(text).toContain('real bars, SYNTHETIC broker rows');
  });

  test('says that there are no picks instead of showing an empty table', () => {
    const text = describeRun({ ...run, picks: [] }).join('\n');
    expect(text).toContain('No picks');
    expect(text).not.toContain('Ticker');
  });

  test('fits 80 columns without a terminal', () => {
    const detail = 'Histogram MACD berbalik positif; Stochastic memotong ke atas dari bawah; volume naik';
    const long = { ...run, picks: run.picks.map((pick) => ({ ...pick, 'Signal Detail': detail })) };
    const madeUp = { version: 'synthetic-20260930-1', kind: 'synthetic', broker_data: 'synthetic' };
    const widths = describeRun({ ...long, dataset: madeUp }).map((line) => line.length);
    expect(Math.max(...widths)).toBe(80);
  });

  test('loses no letters in a terminal of unknown width', () => {
    expect(describeRun(run, 0)).toEqual(describeRun(run));
    expect(describeRun(run, 0).join('\n')).not.toContain('…');
  });

  test('does not wrap rows in a narrow terminal', () => {
    const lines = describeRun(run, 20).slice(4);
    expect(lines.slice(0, 4).map((line) => line.length)).toEqual([20, 20, 20, 20]);
    expect(Math.max(...lines.map((line) => line.length))).toBe(20);
  });
});

describe('the instructions after the start', () => {
  const details = {
    baseUrl: 'http://127.0.0.1:8080',
    demoKey: 'sar_secret',
    stateDir: '/of/saring',
    analyst: undefined,
    consoleUrl: 'http://127.0.0.1:8080/console#/sign-in/token',
  };

  test('show the demo key in a terminal', () => {
    expect(describeFleet({ ...details, isTerminal: true }).join('\n')).toContain('Demo key   sar_secret');
  });

  test('show the console sign-in link only in a terminal', () => {
    const [shown, kept] = [true, false].map((isTerminal) =>
      describeFleet({ ...details, isTerminal }).join('\n'),
    );
    expect(shown).toContain(`Console    ${details.consoleUrl}`);
    expect(kept).toContain('Console    http://127.0.0.1:8080/console;');
    expect(kept).not.toContain('token');
  });

  test('show the location of the demo key instead of the key when not in a terminal', () => {
    const text = describeFleet({ ...details, isTerminal: false }).join('\n');
    expect(text).not.toContain('sar_secret');
    expect(text).toContain('demo_key in /of/saring/fleet.json');
    expect(text).toContain(`Bearer $(node -p "require('/of/saring/fleet.json').demo_key")`);
  });
});
