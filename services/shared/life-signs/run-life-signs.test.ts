import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEARTBEAT_MS, MAX_GAP_MS, RunLifeSigns } from './run-life-signs.ts';

/** Gives the listener its own echo every second from `fromMs` to `toMs`. */
function listen(signs: RunLifeSigns, fromMs: number, toMs: number): void {
  for (let now = fromMs; now <= toMs; now += 1_000) signs.heardEcho(now);
}

test('the silence of a run counts from the first question about it, while the listener hears its own echo', () => {
  const signs = new RunLifeSigns();
  listen(signs, 0, 60_000);
  expect(signs.silentForMs('job', 60_000)).toBe(0);
  listen(signs, 61_000, 75_000);
  expect(signs.silentForMs('job', 75_500)).toBe(15_000);
});

test('a heartbeat resets the silence', () => {
  const signs = new RunLifeSigns();
  listen(signs, 0, 5_000);
  signs.silentForMs('job', 5_000);
  listen(signs, 6_000, 20_000);
  signs.heardRun('job', 20_000);
  listen(signs, 21_000, 23_000);
  expect(signs.silentForMs('job', 23_000)).toBe(3_000);
});

test('no run is reported silent while the listener does not hear its own echo', () => {
  const signs = new RunLifeSigns();
  expect(signs.silentForMs('job', 0)).toBe(0);
  expect(signs.silentForMs('job', 100_000)).toBe(0);
  listen(signs, 100_000, 110_000);
  expect(signs.silentForMs('job', 200_000)).toBe(0);
});

test('a gap in the listener’s own echo restarts the count', () => {
  const signs = new RunLifeSigns();
  listen(signs, 0, 1_000);
  signs.silentForMs('job', 1_000);
  listen(signs, 2_000, 11_000);
  listen(signs, 30_000, 33_000);
  expect(signs.silentForMs('job', 33_000)).toBe(3_000);
});

test('despite outages, a run whose heartbeats are heard is never silent for longer than the limit', () => {
  const phases = fc.array(fc.record({ deafMs: fc.nat(40_000), hearingMs: fc.nat(40_000) }), {
    maxLength: 10,
  });
  fc.assert(
    fc.property(phases, (history) => {
      const signs = new RunLifeSigns();
      let now = 0;
      for (const { deafMs, hearingMs } of history) {
        now += deafMs;
        for (const end = now + hearingMs; now < end; now += 500) {
          if (now % 1_000 < 500) signs.heardEcho(now);
          if (now % HEARTBEAT_MS < 500) signs.heardRun('job', now);
          expect(signs.silentForMs('job', now)).toBeLessThanOrEqual(HEARTBEAT_MS + MAX_GAP_MS);
        }
      }
    }),
  );
});
