import { expect, test } from 'vitest';
import type { Lesson } from '#screens/learnt/lessons.ts';
import { KeptLessons } from './kept-lessons.ts';

const lesson = (digest: string) => ({ digest }) as Lesson;

test('the lessons used last are kept, and never more than the bound', () => {
  const lessons = new KeptLessons(30);
  for (const name of ['a', 'b', 'c']) lessons.keep(name, lesson(name), 10);
  expect(lessons.find('a')?.digest).toBe('a');
  lessons.keep('d', lesson('d'), 10);
  expect(['a', 'b', 'c', 'd'].map((name) => lessons.find(name)?.digest)).toEqual(['a', undefined, 'c', 'd']);
  expect(lessons.bytes).toBe(30);
  lessons.keep('e', lesson('e'), 31);
  expect([lessons.find('e'), lessons.bytes]).toEqual([undefined, 0]);
});

test('what is kept again under its key counts once', () => {
  const lessons = new KeptLessons(30);
  lessons.keep('a', lesson('1'), 20);
  lessons.keep('a', lesson('2'), 25);
  expect([lessons.find('a')?.digest, lessons.bytes]).toEqual(['2', 25]);
});
