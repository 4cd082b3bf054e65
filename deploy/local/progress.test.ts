import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Progress } from './progress.ts';

let lines: string[];
let progress: Progress;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  progress = new Progress({ write: (text) => lines.push(text.trimEnd()), now: () => Date.now() });
});
afterEach(() => vi.useRealTimers());

test('an outcome is one line with the seconds since the start', async () => {
  await vi.advanceTimersByTimeAsync(700);
  await progress.during('x', Promise.resolve(5432), (port) => `x ready on ${port}`);
  expect(lines).toEqual(['  ✓ x ready on 5432   0.7 s']);
});

test('long work reports progress every 2 s and nothing once it is over', async () => {
  let finish!: () => void;
  const work = new Promise<void>((resolve) => (finish = resolve));
  const shown = progress.during('x', work);
  for (let second = 1; second <= 10; second++) {
    await vi.advanceTimersByTimeAsync(2_000);
    expect(lines.length).toBeGreaterThanOrEqual(second - 1);
  }
  expect(lines[0]).toMatch(/… waiting for x {3}1\.8 s/);
  finish();
  await shown;
  const count = lines.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lines).toHaveLength(count);
});

test('failed work is not reported as done', async () => {
  const work = progress.during('x', Promise.reject(new Error('no')), () => 'x is ready');
  await expect(work).rejects.toThrow('no');
  expect(lines).toEqual([]);
});

test('a wait for many parts is reported within one line of 80 columns', async () => {
  const names = ['market-data', 'models', 'usage', 'consent', 'scheduler'].map((name) => `${name} service`);
  for (const name of names) void progress.during(name, new Promise<void>(() => {}));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(lines[0]).toBe('  … waiting for market-data service, models service and 3 more   1.8 s');
});
