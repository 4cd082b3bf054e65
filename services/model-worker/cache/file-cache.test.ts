import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileCache } from './file-cache.ts';

const VALUE = {
  text: 'Émiten',
  none: null,
  list: [1, 'two', { deep: Uint8Array.of(1, 2, 3) }],
  columns: { odd: Uint16Array.of(7), wide: Float64Array.of(0.1, NaN, -Infinity), empty: new Int32Array(0) },
};

let folder: string;
let problems: string[];
let cache: FileCache;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-file-cache-'));
  problems = [];
  cache = new FileCache(path.join(folder, 'cache'), (problem) => problems.push(problem));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = async () =>
  (await readdir(path.join(folder, 'cache'))).map((name) => path.join(folder, 'cache', name));

test('what was kept is found unchanged by another process, its columns in shared memory', async () => {
  await cache.keep('a', VALUE);
  const found = (await new FileCache(path.join(folder, 'cache'), () => {}).find('a')) as typeof VALUE;
  expect(found).toEqual(VALUE);
  expect(found.columns.wide.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(await cache.find('b')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('a file that is damaged anywhere, or cut off, counts as absent, is removed and reported', async () => {
  await cache.keep('a', VALUE);
  const [file] = await files();
  const whole = await readFile(file!);
  const broken = [0, 9, 13, 40, whole.length - 9].map((at) => whole.with(at, whole[at]! ^ 1));
  for (const bytes of [...broken, whole.subarray(0, 12), whole.subarray(0, -8), Buffer.alloc(0)]) {
    await writeFile(file!, bytes);
    expect(await cache.find('a')).toBeUndefined();
    expect(await files()).toEqual([]);
  }
  expect(problems).toHaveLength(broken.length + 3);
});

test('what nobody has used since a moment is dropped, also when there is no folder yet', async () => {
  await cache.dropUnusedSince(new Date());
  await cache.keep('unused', VALUE);
  const [unused] = await files();
  await utimes(unused!, new Date(0), new Date(0));
  await cache.keep('used', VALUE);
  await cache.dropUnusedSince(new Date(1_000));
  expect(await cache.find('unused')).toBeUndefined();
  expect(await cache.find('used')).toEqual(VALUE);
  expect(problems).toEqual([]);
});

test('the least recently used files beyond the size limit are dropped, and those never finished', async () => {
  const small = new FileCache(path.join(folder, 'cache'), (problem) => problems.push(problem), 20_000);
  const long = (fill: number) => ({ numbers: new Uint8Array(8_000).fill(fill) });
  await small.keep('a', long(1));
  const [first] = await files();
  await utimes(first!, new Date(0), new Date(0));
  await writeFile(`${first}.gone.tmp`, 'x');
  await utimes(`${first}.gone.tmp`, new Date(0), new Date(0));
  await small.keep('b', long(2));
  const kept = await files();
  expect(kept).toHaveLength(2);
  // Times of use have the resolution of a millisecond, in which two files can be written.
  for (const file of kept) await utimes(file, new Date(1_000), new Date(1_000));
  expect(await small.find('a')).toEqual(long(1));
  await small.keep('c', long(3));
  expect([await small.find('a'), await small.find('b')]).toEqual([long(1), undefined]);
  await small.keep('d', { numbers: new Uint8Array(30_000) });
  expect(await small.find('d')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('values kept at the same time do not hinder each other', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `value ${i}`);
  await Promise.all(names.map((name) => cache.keep(name, VALUE)));
  for (const name of names) expect(await cache.find(name)).toEqual(VALUE);
  expect(problems).toEqual([]);
});

test('a folder that cannot be written is reported, and nothing fails', async () => {
  await writeFile(path.join(folder, 'cache'), 'a file, not a folder');
  await cache.keep('a', VALUE);
  expect(await cache.find('a')).toBeUndefined();
  expect(problems.length).toBeGreaterThan(0);
});
