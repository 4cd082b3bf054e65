import { expect, test } from 'vitest';
import type { Lesson } from '#models/learnt/lessons.ts';
import { ProcessLessons, type SharedLessons } from './process-lessons.ts';

const lesson = (digest: string, bytes = 10) =>
  ({ digest, ensemble: { value: new Float32Array(bytes / 4) } }) as unknown as Lesson;
const [ONE, OTHER, THIRD] = [{}, {}, {}];

/** Stores lessons by name, like a stream. */
class Shelf implements SharedLessons {
  readonly held = new Map<string, Lesson>();
  fetches = 0;
  fetch = async (name: string) => {
    this.fetches++;
    return this.held.get(name);
  };
  offer = (name: string, offered: Lesson) => void this.held.set(name, offered);
}

test('lessons stay within the size limit by dropping the least recently used', async () => {
  const lessons = new ProcessLessons(24);
  const digestsOf = (names: string[]) =>
    Promise.all(names.map(async (name) => (await lessons.find(ONE, name, false))?.digest));
  for (const name of ['a', 'b', 'c']) lessons.learnt(name, lesson(name, 8));
  expect(await digestsOf(['a'])).toEqual(['a']);
  lessons.learnt('d', lesson('d', 8));
  expect(await digestsOf(['a', 'b', 'c', 'd'])).toEqual(['a', undefined, 'c', 'd']);
  expect(lessons.bytes).toBe(24);
  lessons.learnt('e', lesson('e', 28));
  expect([await lessons.find(ONE, 'e', false), lessons.bytes]).toEqual([undefined, 0]);
});

test('a lesson kept again under the same name replaces the earlier one and counts once', async () => {
  const lessons = new ProcessLessons(30);
  lessons.learnt('a', lesson('1', 20));
  lessons.learnt('a', lesson('2', 24));
  expect([(await lessons.find(ONE, 'a', false))?.digest, lessons.bytes]).toEqual(['2', 24]);
});

test('a lesson learnt by another worker is found unchanged, in shared memory, and fetched only once', async () => {
  const shelf = new Shelf();
  const [one, other] = [new ProcessLessons(100, shelf), new ProcessLessons(100, shelf)];
  one.learnt('a', lesson('a', 8));
  const found = await other.find(ONE, 'a', true);
  expect(found).toEqual(lesson('a', 8));
  expect(found!.ensemble.value.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(await other.find(OTHER, 'a', true)).toEqual(lesson('a', 8));
  expect([shelf.fetches, other.bytes]).toEqual([1, 8]);
  expect(await other.find(ONE, 'b', false)).toBeUndefined();
});

test('threads that need what another one is learning wait for it', async () => {
  const lessons = new ProcessLessons(100);
  expect(await lessons.find(ONE, 'a', true)).toBeUndefined();
  const waiting = [lessons.find(OTHER, 'a', true), lessons.find(THIRD, 'a', false)];
  lessons.learnt('a', lesson('a', 8));
  expect(await Promise.all(waiting)).toEqual([lesson('a', 8), lesson('a', 8)]);
});

test('when a thread gives up what it was to learn, the next one that waits learns it', async () => {
  const lessons = new ProcessLessons(100);
  await lessons.find(ONE, 'a', true);
  const [next, last] = [lessons.find(OTHER, 'a', true), lessons.find(THIRD, 'a', true)];
  lessons.release(ONE);
  expect(await next).toBeUndefined();
  lessons.learnt('a', lesson('a', 8));
  expect(await last).toEqual(lesson('a', 8));
});

test('a thread that must end waits for no lesson, and its place is not given to it', async () => {
  const lessons = new ProcessLessons(100);
  await lessons.find(ONE, 'a', true);
  const waiting = lessons.find(OTHER, 'a', true);
  lessons.release(OTHER);
  expect(await waiting).toBeUndefined();
  lessons.release(ONE);
  expect(await lessons.find(THIRD, 'a', true)).toBeUndefined();
});
