import { expect, test } from 'vitest';
import { EvaluationProgress } from './progress.ts';

function printed(isTTY: boolean): string {
  let [text, now] = ['', 0];
  const write = (more: string) => (text += more);
  const progress = new EvaluationProgress({ isTTY, write }, () => now);
  now = 5_000;
  progress.expect(3);
  for (const [date, title] of [
    ['2024-01-05', 'some_model'],
    ['2024-01-05', 'other_model'],
    ['2024-01-12', 'some_model'],
  ] as const) {
    progress.begun({ date, title });
    now += 30_000;
    progress.done({ date, title }, '7');
  }
  return text;
}

test('a log gets one line per week, with its picks, the elapsed time and the time left', () => {
  expect(printed(false).split('\n')).toEqual([
    '2024-01-05  some_model 7, other_model 7  [2/3; 1:05, about 0:30 left]',
    '2024-01-12  some_model 7  [3/3; 1:35, about 0:00 left]',
    '',
  ]);
});

test('on a terminal the line also names the running model', () => {
  expect(printed(true)).toContain('\r\x1b[K2024-01-05  other_model …  [1/3; 0:35, about 1:00 left]');
});
