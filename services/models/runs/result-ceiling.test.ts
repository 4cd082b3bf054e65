import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type StoredResult, tooMany } from './result-ceiling.ts';

const results = fc
  .array(fc.tuple(fc.constantFrom('key_a', 'key_b', 'key_c'), fc.nat(1_000)), { maxLength: 60 })
  .map((all) =>
    all.map(([api_key_id, at], i): StoredResult => ({
      job_id: `job_${i}`,
      api_key_id,
      finished_at: new Date(at),
    })),
  );

test('the ceiling is met exactly, and a key that holds no more than its equal share keeps all of its results', () => {
  fc.assert(
    fc.property(results, fc.integer({ min: 1, max: 40 }), (held, ceiling) => {
      const removed = new Set(tooMany(held, ceiling));
      expect(held.length - removed.size).toBe(Math.min(held.length, ceiling));
      const keys = [...new Set(held.map(({ api_key_id }) => api_key_id))];
      for (const key of keys) {
        const own = held.filter(({ api_key_id }) => api_key_id === key);
        const isRemoved = ({ job_id }: StoredResult) => removed.has(job_id);
        if (own.length <= Math.floor(ceiling / keys.length)) expect(own.filter(isRemoved)).toEqual([]);
        const youngestRemoved = Math.max(
          -1,
          ...own.filter(isRemoved).map((one) => one.finished_at!.getTime()),
        );
        for (const kept of own.filter((one) => !isRemoved(one)))
          expect(kept.finished_at!.getTime()).toBeGreaterThanOrEqual(youngestRemoved);
      }
    }),
  );
});

test('a burst of one key removes only its own results', () => {
  const of = (api_key_id: string, count: number): StoredResult[] =>
    Array.from({ length: count }, (_, i) => ({
      job_id: `${api_key_id}_${i}`,
      api_key_id,
      finished_at: new Date(api_key_id === 'key_quiet' ? i : 10_000 + i),
    }));
  const removed = tooMany([...of('key_quiet', 100), ...of('key_loud', 430)], 500);
  expect(removed).toEqual(of('key_loud', 30).map(({ job_id }) => job_id));
});
