import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RenderedAnswer } from '../answers/rendered-answer.ts';
import { routes } from '../routes/index.ts';
import { answerCache } from './followed-dataset.ts';

const route = routes.find(({ path }) => path === '/api/v1/data/quotes')!;
const answerOf = (characters: number) =>
  new RenderedAnswer(route, { dataset_version: 'v', text: 'x'.repeat(characters) });

test('a full cache evicts the least recently used answer', () => {
  const cache = answerCache(4_000);
  const answers = [answerOf(10), answerOf(20), answerOf(30), answerOf(40)];
  for (const i of [0, 1, 2]) cache.set(`key ${i}`, answers[i]);
  expect(cache.get('key 0')).toBe(answers[0]);
  cache.set('key 3', answers[3]);
  expect([0, 1, 2, 3].map((i) => cache.get(`key ${i}`))).toEqual([
    answers[0],
    undefined,
    answers[2],
    answers[3],
  ]);
});

test('an answer larger than the whole cache is not kept and evicts nothing', () => {
  const cache = answerCache(4_000);
  const small = answerOf(10);
  cache.set('small', small);
  cache.set('large', answerOf(4_000));
  expect([cache.get('small'), cache.get('large')]).toEqual([small, undefined]);
});

test('a cache of size 0 keeps nothing', () => {
  const cache = answerCache(0);
  cache.set('key', answerOf(1));
  expect(cache.get('key')).toBeUndefined();
});

test('the cache never exceeds its size in bytes and returns only the latest answer of each key', () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 9 }),
    characters: fc.integer({ min: 0, max: 3_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = answerCache(12_000);
      const last = new Map<string, RenderedAnswer>();
      for (const { key, characters } of steps) {
        const answer = answerOf(characters);
        last.set(String(key), answer);
        cache.set(String(key), answer);
        expect(cache.calculatedSize).toBeLessThanOrEqual(12_000);
        expect(cache.get(String(key))).toBe(answer);
      }
      const kept = [...last].filter(([key]) => cache.get(key) !== undefined);
      for (const [key, answer] of kept) expect(cache.get(key)).toBe(answer);
      const bytes = kept.reduce((sum, [, { body }]) => sum + Buffer.byteLength(body), 0);
      expect(cache.calculatedSize).toBeGreaterThanOrEqual(bytes);
    }),
  );
});
