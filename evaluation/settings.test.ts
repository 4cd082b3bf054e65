import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '#platform/configuration/config.ts';
import { repeatCommand, readSettings } from './settings.ts';

const SPAN = { from: '2023-01-02', to: '2023-12-29', weeks: 52 };

test('the defaults are a synthetic market and an output folder that git ignores', () => {
  expect(readSettings({ DATASET: '', FROM: '' })).toMatchObject({
    dataset: undefined,
    synthesizeBrokers: false,
    from: undefined,
    to: undefined,
    out: path.resolve('.saring/evaluation'),
    sample: { tickers: 300, days: 1_000 },
  });
});

test('one error names every invalid setting', () => {
  const wrong = { FROM: '2024-02-30', MODELS: 'confluence_filter,model_x', SAMPLE_DAYS: 'many' };
  const reading = () => readSettings(wrong);
  expect(reading).toThrow(ConfigError);
  for (const name of Object.keys(wrong)) expect(reading).toThrow(name);
});

test('the command that repeats an evaluation contains every setting it depends on and no local path', () => {
  const real = readSettings({ DATASET: '/some/where/bars.tar.gz', SYNTHESIZE_BROKERS: '1' });
  expect(repeatCommand(real, SPAN)).toBe(
    'make evaluate DATASET=bars.tar.gz SYNTHESIZE_BROKERS=1 FROM=2023-01-02 TO=2023-12-29',
  );
  const small = readSettings({ SAMPLE_TICKERS: '60', MODELS: 'confluence_filter' });
  expect(repeatCommand(small, SPAN)).toBe(
    'make evaluate SAMPLE_TICKERS=60 SAMPLE_DAYS=1000 FROM=2023-01-02 TO=2023-12-29 MODELS=confluence_filter',
  );
});
