import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { MemoryCounts, secondsToWait, WINDOW_MS } from './rate-limit-counts.ts';

function countsAt() {
  const clock = { nowMs: 5_000 };
  return { clock, counts: new MemoryCounts(() => clock.nowMs) };
}

test('the count of an id starts over one minute after its first request', () => {
  const { clock, counts } = countsAt();
  expect(counts.get('a')).toBeUndefined();
  expect(counts.increment('a')).toEqual({ hits: 1, resetInMs: WINDOW_MS });
  clock.nowMs += WINDOW_MS - 1;
  expect(counts.increment('a')).toEqual({ hits: 2, resetInMs: 1 });
  expect(counts.get('a')).toEqual({ hits: 2, resetInMs: 1 });
  clock.nowMs += 1;
  expect(counts.get('a')).toBeUndefined();
  expect(counts.increment('a')).toEqual({ hits: 1, resetInMs: WINDOW_MS });
});

test('later requests do not change a returned count, and each id is counted separately', () => {
  const { counts } = countsAt();
  const responses = [counts.increment('a'), counts.increment('a'), counts.increment('b')];
  expect(responses.map(({ hits }) => hits)).toEqual([1, 2, 1]);
});

test('an id is removed from memory once its minute is over', () => {
  const { clock, counts } = countsAt();
  for (let i = 0; i < 1_000; i++) {
    clock.nowMs += WINDOW_MS / 100;
    counts.increment(`id-${i}`);
    counts.increment('always');
    expect(counts.size).toBeLessThanOrEqual(101);
  }
});

test('the number of counted ids is capped, and the id whose minute ends first is evicted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(WINDOW_MS / 4)), { maxLength: 300 }), (steps) => {
      const clock = { nowMs: 0 };
      const counts = new MemoryCounts(() => clock.nowMs, 5);
      let newest: { id: string; begunAtMs: number }[] = [];
      for (const [id, waitMs] of steps) {
        clock.nowMs += waitMs;
        const begun = { id: String(id), begunAtMs: clock.nowMs };
        const isNew = counts.get(begun.id) === undefined;
        counts.increment(begun.id);
        if (isNew) newest = [...newest.filter((known) => known.id !== begun.id), begun].slice(-5);
        expect(counts.size).toBeLessThanOrEqual(5);
        for (const known of newest)
          expect(counts.get(known.id) !== undefined).toBe(clock.nowMs - known.begunAtMs < WINDOW_MS);
      }
    }),
  );
});

test('a wait is rounded up to whole seconds and is at least one second', () => {
  const secondsOf = (resetInMs: number) => secondsToWait({ hits: 1, resetInMs });
  expect([59_500, 30_500, 500, 0, -5_000].map(secondsOf)).toEqual([60, 31, 1, 1, 1]);
});

test('setting the system clock back does not change when a minute ends', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const counts = new MemoryCounts();
    counts.increment('a');
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(counts.increment('a')).toEqual({ hits: 2, resetInMs: WINDOW_MS });
    vi.advanceTimersByTime(WINDOW_MS);
    expect(counts.increment('a')).toEqual({ hits: 1, resetInMs: WINDOW_MS });
  } finally {
    vi.useRealTimers();
  }
});
