import { mkdir, rm, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { FileOrigin, SETTLED_AFTER_MS } from './file.ts';
import { ownFolder } from './folder-fixture.ts';

const DAY = '2024-07-01';
const WRITTEN = new Date('2024-07-01T12:00:00Z');
const own = ownFolder();
let path: string;
beforeEach(() => {
  path = join(own.path, '20240701.json');
});

const write = (text: string) => own.drop('20240701.json', text, WRITTEN.getTime() / 1_000);

function get(afterMs = SETTLED_AFTER_MS, maxBytes = 1_000) {
  const clock = () => new Date(WRITTEN.getTime() + afterMs);
  const origin = new FileOrigin({ path: join(own.path, '{yyyymmdd}.json'), maxBytes, clock });
  return origin.get(DAY, new AbortController().signal);
}

test('a file of the day is read once it is settled', async () => {
  await write('[]');
  expect(await get()).toEqual({ name: '20240701.json', bytes: Buffer.from('[]') });
  await failureOf(get(SETTLED_AFTER_MS - 1), 'not_published');
});

test('a file that is missing or empty is not published yet', async () => {
  expect((await failureOf(get(), 'not_published')).message).toBe(`There is no file ${path} yet.`);
  await write('');
  await failureOf(get(), 'not_published');
});

test('a file that is too large is not read, and something else than a file is named', async () => {
  await write('');
  await truncate(path, 1_001);
  await utimes(path, WRITTEN, WRITTEN);
  await failureOf(get(), 'too_large');
  await rm(path);
  await mkdir(path);
  await failureOf(get(), 'unreachable');
});
