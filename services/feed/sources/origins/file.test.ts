import { mkdir, mkdtemp, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../source-failure-fixture.ts';
import { FileOrigin, SETTLED_AFTER_MS } from './file.ts';

const DAY = '2024-07-01';
const WRITTEN = new Date('2024-07-01T12:00:00Z');
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feed-'));
  path = join(folder, '20240701.json');
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function write(text: string): Promise<void> {
  await writeFile(path, text);
  await utimes(path, WRITTEN, WRITTEN);
}

function get(afterMs = SETTLED_AFTER_MS, maxBytes = 1_000) {
  const clock = () => new Date(WRITTEN.getTime() + afterMs);
  const origin = new FileOrigin({ path: join(folder, '{yyyymmdd}.json'), maxBytes, clock });
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
