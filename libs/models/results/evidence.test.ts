import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { netReturnVerdictOf, verdictOf, walkForwardEvidence } from './evidence.ts';
import { MODELS } from '../registry.ts';

test('every published model has evidence of the real market, with an interval around its figure', () => {
  for (const { id } of MODELS.slice(0, 6)) {
    const { value, low, high, market } = walkForwardEvidence(id)!;
    expect(low < value && value < high, id).toBe(true);
    expect(market).toBe('real');
  }
});

test.each([
  [{ statistic: 'lift', low: 1.01, high: 1.4 }, 'better_than_chance'],
  [{ statistic: 'lift', low: 0.94, high: 1.23 }, 'not_shown'],
  [{ statistic: 'lift', low: 0.8, high: 0.99 }, 'worse'],
  [{ statistic: 'excess_net_return_pct', low: 0, high: 0.6 }, 'not_shown'],
  [{ statistic: 'excess_net_return_pct', low: -0.75, high: -0.19 }, 'worse'],
] as const)('%j is %s', (measured, verdict) => expect(verdictOf(measured)).toBe(verdict));

test.each([
  [{ low: 0.1, high: 0.9 }, 'gain'],
  [{ low: 0, high: 0.9 }, 'not_shown'],
  [{ low: -0.9, high: -0.1 }, 'loss'],
] as const)('a net return of %j is %s', (interval, verdict) =>
  expect(netReturnVerdictOf(interval)).toBe(verdict),
);

const MODELS_BY_LETTER: Record<string, string> = {
  A: 'regime_adaptive_v6',
  B: 'gann_classic_v7',
  C: 'gross_alpha_v10',
  D: 'confluence_filter',
  F: 'model_f_combined',
};
const document = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8').replaceAll(
  '−',
  '-',
);
const numbersIn = (text: string) => [...text.matchAll(/-?\d+\.\d+/g)].map(Number);

test('evidence is what docs/models.md says of the 80 weeks', () => {
  const worth = document.slice(document.indexOf('worth\n'), document.indexOf('### The generated market'));
  const rows = [...worth.matchAll(/^\| ([A-F]) \| (.+?) \| (.+?) \| (.+?) \|$/gm)];
  expect(rows.map(([, letter]) => letter)).toEqual(Object.keys(MODELS_BY_LETTER));
  for (const [, letter, figure, verdict, itself] of rows) {
    const { statistic, value, low, high, ...evidence } = walkForwardEvidence(MODELS_BY_LETTER[letter!]!)!;
    expect(statistic).toBe(figure!.startsWith('lift') ? 'lift' : 'excess_net_return_pct');
    expect([value, low, high], letter).toEqual(numbersIn(figure!));
    expect(evidence.verdict.replaceAll('_', ' ')).toBe(verdict);
    expect(evidence.net_return_pct ?? undefined).toBe(numbersIn(itself!)[0]);
    expect(evidence.net_return_verdict).toBe(itself === '–' ? undefined : 'not_shown');
    expect(evidence.exits).toBe('any_day');
  }
  expect(worth).toContain('These positions were sold on any day');
});

test('the Brier skill of model E is that of docs/models.md at 20 days', () => {
  const [, skill] = /^\| 20 days \| [\d,]+ \| (.+?) \|/m.exec(document)!;
  const { value, low, high } = walkForwardEvidence('recovery_v4')!;
  expect([value, low, high]).toEqual(numbersIn(skill!.replace('–', ' ')));
});
