import { describe, expect, test } from 'vitest';
import { describeRun } from './welcome.ts';

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

  test('no picks are told in words and not as an empty table', () => {
    const text = describeRun({ ...run, picks: [] }, realData).join('\n');
    expect(text).toContain('no picks');
    expect(text).not.toContain('Ticker');
  });

  test('rows do not wrap in a narrow terminal', () => {
    const lines = describeRun(run, realData, 20).slice(3);
    expect(lines.map((line) => line.length)).toEqual([20, 20, 20, 20]);
  });
});
