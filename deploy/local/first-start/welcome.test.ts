import { describe, expect, test } from 'vitest';
import { describeFleet, describeRun } from './welcome.ts';

const run = {
  model: 'confluence_filter',
  targetDate: '2025-02-28',
  durationSeconds: 0.41,
  picks: [
    { Ticker: 'AAAA', Signals: 3, 'Last Close': '1,250' },
    { Ticker: 'BBBB', Signals: 2, 'Last Close': '95' },
  ],
};

describe('what the first run shows', () => {
  const realData = { version: 'ds_2', kind: 'real', broker_data: 'real' };

  test('synthetic data is called synthetic, real data is not', () => {
    const madeUp = { version: 'ds_1', kind: 'synthetic', broker_data: 'synthetic' };
    const synthetic = describeRun(run, madeUp).join('\n');
    const real = describeRun(run, realData).join('\n');
    expect(synthetic).toContain('SYNTHETIC');
    expect(real).not.toContain('SYNTHETIC');
    expect(real).toContain('2025-02-28');
  });

  test('made-up broker rows on real bars are called synthetic', () => {
    const text = describeRun(run, { ...realData, broker_data: 'synthetic' }).join('\n');
    expect(text).toContain('real bars, SYNTHETIC broker rows');
  });

  test('an empty result is said in words and not shown as an empty table', () => {
    const text = describeRun({ ...run, picks: [] }, realData).join('\n');
    expect(text).toContain('No picks');
    expect(text).not.toContain('Ticker');
  });

  test('without a terminal every line fits 80 columns', () => {
    const detail = 'Histogram MACD berbalik positif; Stochastic memotong ke atas dari bawah; volume naik';
    const long = { ...run, picks: run.picks.map((pick) => ({ ...pick, 'Signal Detail': detail })) };
    const madeUp = { version: 'synthetic-20260930-1', kind: 'synthetic', broker_data: 'synthetic' };
    const widths = describeRun(long, madeUp).map((line) => line.length);
    expect(Math.max(...widths)).toBe(80);
  });

  test('rows do not wrap in a narrow terminal', () => {
    const lines = describeRun(run, realData, 20).slice(4);
    expect(lines.map((line) => line.length)).toEqual([20, 20, 20, 20]);
  });
});

describe('how to go on', () => {
  const details = {
    ...{ baseUrl: 'http://127.0.0.1:8080', demoKey: 'sar_secret', stateDir: '/of/saring' },
    ...{ tryParams: { min_probability: 58 }, analyst: undefined },
  };

  test('the demo key is shown in a terminal', () => {
    expect(describeFleet({ ...details, isTerminal: true }).join('\n')).toContain('Demo key   sar_secret');
  });

  test('the run to try carries the parameters that were found to give picks', () => {
    const text = describeFleet({ ...details, isTerminal: true }).join('\n');
    expect(text).toContain(`-d '{"params":{"min_probability":58}}'`);
  });

  test('what is not a terminal gets the place of the key and not the key', () => {
    const text = describeFleet({ ...details, isTerminal: false }).join('\n');
    expect(text).not.toContain('sar_secret');
    expect(text).toContain('demo_key in /of/saring/fleet.json');
    expect(text).toContain(`Bearer $(node -p "require('/of/saring/fleet.json').demo_key")`);
  });
});
