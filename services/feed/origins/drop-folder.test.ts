import { appendFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { DropFolder, UNCHANGED_FOR_MS } from './drop-folder.ts';
import { ownFolder } from './folder-fixture.ts';

const own = ownFolder();
const { drop } = own;
let folder: DropFolder;
let nowMs = 0;

beforeEach(() => {
  folder = new DropFolder(own.path, 1_000);
});

/** Looks, and looks again after as long as a file must be unchanged. */
async function settled(): Promise<string[]> {
  await folder.settled(new Date(nowMs));
  nowMs += UNCHANGED_FOR_MS;
  return folder.settled(new Date(nowMs));
}

test('a file counts once it was the same at two looks, some time apart', async () => {
  await drop('a.csv', 'x');
  const at = (ms: number) => folder.settled(new Date(ms));
  expect(await at(0)).toEqual([]);
  expect(await at(UNCHANGED_FOR_MS - 1)).toEqual([]);
  expect(await at(UNCHANGED_FOR_MS)).toEqual(['a.csv']);
  await appendFile(join(own.path, 'a.csv'), 'y');
  expect(await at(UNCHANGED_FOR_MS * 2)).toEqual([]);
  expect(await at(UNCHANGED_FOR_MS * 3)).toEqual(['a.csv']);
});

test('unfinished, hidden and empty files and folders are not looked at', async () => {
  for (const name of ['.a.csv', 'a.csv.part', 'a.TMP', 'a.crdownload', 'a.csv~']) await drop(name, 'x');
  await drop('empty.csv', '');
  await mkdir(join(own.path, 'folder.csv'));
  expect(await settled()).toEqual([]);
});

test('files come in the order in which they were changed', async () => {
  await drop('c.csv', '1', 30);
  await drop('a.csv', '2', 20);
  await drop('b.csv', '3', 20);
  expect(await settled()).toEqual(['a.csv', 'b.csv', 'c.csv']);
});

test('a content has the same digest under another name, and another one once it changes', async () => {
  await drop('a.csv', 'x');
  await settled();
  const digest = await folder.digest('a.csv');
  await rename(join(own.path, 'a.csv'), join(own.path, 'b.csv'));
  await settled();
  expect(await folder.digest('b.csv')).toBe(digest);
  expect(await folder.digest('a.csv')).toBeUndefined();
  await drop('b.csv', 'y', 2_000);
  await settled();
  expect(await folder.digest('b.csv')).not.toBe(digest);
  expect((await folder.get('b.csv', new AbortController().signal)).digest).toBe(await folder.digest('b.csv'));
});

test('nothing outside the folder can be asked for', async () => {
  const get = (name: string) => folder.get(name, new AbortController().signal);
  for (const name of ['../secret', '/etc/passwd', '.hidden', 'missing.csv', '..', ''])
    await failureOf(get(name), 'not_published');
  await drop('large.csv', 'x'.repeat(1_001));
  await failureOf(get('large.csv'), 'too_large');
});

test('a folder that cannot be read is named', async () => {
  const { message } = await failureOf(
    new DropFolder('/nowhere/at/all', 1).settled(new Date()),
    'unreachable',
  );
  expect(message).toBe('The folder /nowhere/at/all cannot be read: ENOENT.');
});
