import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RenderedResponse } from '../responses/rendered-response.ts';
import { routes } from '../routes/index.ts';
import { responseCache } from './followed-dataset.ts';

const route = routes.find(({ path }) => path === '/api/v1/data/quotes')!;
const responseOf = (characters: number) =>
  new RenderedResponse(route, { dataset_version: 'v', text: 'x'.repeat(characters) });

test('a cache of size 0 keeps nothing', () => {
  const cache = responseCache(0);
  cache.set('key', responseOf(1));
  expect(cache.get('key')).toBeUndefined();
});

test('the cache never exceeds its size in bytes and returns only the latest answer of each key', () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 9 }),
    characters: fc.integer({ min: 0, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = responseCache(12_000);
      const last = new Map<string, RenderedResponse>();
      for (const { key, characters } of steps) {
        const response = responseOf(characters);
        last.set(String(key), response);
        cache.set(String(key), response);
        expect(cache.calculatedSize).toBeLessThanOrEqual(12_000);
        expect(cache.get(String(key))).toBe(response);
      }
      const kept = [...last].filter(([key]) => cache.get(key) !== undefined);
      for (const [key, response] of kept) expect(cache.get(key)).toBe(response);
      const bytes = kept.reduce((sum, [, { body }]) => sum + Buffer.byteLength(body), 0);
      expect(cache.calculatedSize).toBeGreaterThanOrEqual(bytes);
    }),
  );
});
