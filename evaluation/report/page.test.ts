import { describe, expect, test } from 'vitest';
import { estimateOf, evaluationOf, pickFiguresOf, pickModelOf, recoveryOf } from '../evaluation-fixture.ts';
import { evaluationPage, NOT_SHOWN } from './page.ts';

const above = pickModelOf('Model X', pickFiguresOf(estimateOf(1.28, 1.04, 1.53)));
const not = pickModelOf('Model Y', pickFiguresOf(estimateOf(1.28, 0.97, 1.61)));
const page = evaluationPage(
  evaluationOf([above, not, recoveryOf(estimateOf(0.0234, 0.0101, 0.0377))], ['SYNTHETIC market']),
);

describe('the page', () => {
  test('shows every figure of a model that picks', () => {
    const figures = ['31.2 %', '24.4 %', '1.28 (1.04 to 1.53)', '1.28 (0.97 to 1.61)', '1.81'];
    const returns = [
      '−1.23 % (−2.11 % to −0.34 %)',
      '0.45 % (−0.12 % to 1.01 %)',
      '33.1 %',
      '1.92',
      '612 ms',
    ];
    const chances = ['25.1 %', '24.3 %', '2.13 %', '0.573', '0.561', '23.1 %', '22.2 %', '27.2 %', '30.1 %'];
    for (const figure of [...figures, ...returns, ...chances]) expect(page).toContain(`>${figure}<`);
  });

  test('shows every figure of the recovery model', () => {
    for (const figure of ['2.34 % (1.01 % to 3.77 %)', '1.11 %', '0.7123', '0.7312', '1.4321', '1.4987'])
      expect(page).toContain(`>${figure}<`);
  });

  test('shows the figures by the exchange’s lower limit', () => {
    const byLimit = page.split('<section>').find((section) => section.includes('By lower limit'))!;
    for (const shown of ['Lower limit', '7 %', '31.2 %', '24.4 %', '1.28 (1.04 to 1.53)'])
      expect(byLimit).toContain(`>${shown}<`);
  });

  test('loads no other resource, fits a phone and supports dark mode', () => {
    expect(page).not.toMatch(/https?:|src=|url\(|@import|<script|<link/);
    expect(page).toContain('width=device-width');
    expect(page).toContain('prefers-color-scheme: dark');
  });

  test('states the command that repeats it, the dataset and the machine', () => {
    for (const shown of ['make evaluate FROM=2023-01-01', 'real-20240628-1', 'Some machine × 2', '925,488'])
      expect(page).toContain(shown);
  });

  test('labels every group of figures from synthetic data as synthetic', () => {
    const sections = page.split('<section>').slice(2);
    const withFigures = sections.filter((section) => section.includes('(95 %)') || section.includes('<svg'));
    expect(withFigures.length).toBeGreaterThanOrEqual(5);
    for (const section of withFigures) expect(section).toContain('SYNTHETIC market');
    expect(evaluationPage(evaluationOf([above]))).not.toContain('SYNTHETIC');
  });

  test('closes every element that it opens', () => {
    const open: string[] = [];
    for (const [, close, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (name === 'meta' || name === 'br') continue;
      if (close === '') open.push(name!);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  test('escapes HTML in names', () => {
    const named = pickModelOf('<b>"R&D"</b>', pickFiguresOf(estimateOf(1, 0.5, 1.5)));
    expect(evaluationPage(evaluationOf([named]))).not.toContain('<b>');
  });
});

describe('the claim of the page', () => {
  const pageWith = (model: Parameters<typeof evaluationOf>[0][number]) =>
    evaluationPage(evaluationOf([model]));

  test('is an edge only when the whole interval lies above 1', () => {
    expect(pageWith(above)).toContain('lies above 1');
    expect(pageWith(above)).not.toContain(NOT_SHOWN);
    for (const lift of [estimateOf(1.28, 0.97, 1.61), estimateOf(1.2, 1, 1.4), estimateOf(3, null, null)])
      expect(pageWith(pickModelOf('Y', pickFiguresOf(lift)))).toContain(NOT_SHOWN);
  });

  test('says when the picks did worse than blind picks and when there were none', () => {
    const worse = pickModelOf('Y', pickFiguresOf(estimateOf(0.8, 0.7, 0.9)));
    expect(pageWith(worse)).toContain('Its picks did worse than names of the same days taken blindly');
    expect(pageWith(worse)).not.toContain(NOT_SHOWN);
    expect(pageWith(pickModelOf('Y', pickFiguresOf(estimateOf(1, null, null), 0)))).toContain(
      'No picks in 52 weeks',
    );
  });

  test('is skill only when the whole interval lies above 0', () => {
    expect(pageWith(recoveryOf(estimateOf(0.02, 0.01, 0.03)))).toContain('(1.0 % to 3.0 %), above 0');
    expect(pageWith(recoveryOf(estimateOf(0.02, -0.01, 0.03)))).toContain('not shown to be above 0');
    expect(pageWith(recoveryOf(estimateOf(-0.02, -0.03, -0.01)))).toContain(', below 0');
  });

  test('gives the reason when a model could not be run', () => {
    const reason = 'Not runnable: no broker rows.';
    expect(pageWith({ kind: 'not_evaluated', model_id: 'x', name: 'Model C', reason })).toContain(reason);
  });

  test('reports failed runs with the message that the caller got', () => {
    const model = {
      ...above,
      runs: { ...above.runs, failed: [{ date: '2023-02-03', message: 'Data broker belum lengkap.' }] },
    };
    expect(pageWith(model)).toContain('1 of 52 runs failed, first on 2023-02-03: Data broker belum lengkap.');
  });
});
