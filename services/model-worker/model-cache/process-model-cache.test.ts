import { expect, test } from 'vitest';
import type { CachedModel } from '#models/trained/model-cache.ts';
import { ProcessModelCache, type SharedModelCache } from './process-model-cache.ts';

const cachedModel = (digest: string, bytes = 10) =>
  ({ digest, ensemble: { value: new Float32Array(bytes / 4) } }) as unknown as CachedModel;
const [ONE, OTHER, THIRD] = [{}, {}, {}];

/** Stores cached models by name, like a stream. */
class Shelf implements SharedModelCache {
  readonly held = new Map<string, CachedModel>();
  fetches = 0;
  fetch = async (name: string) => {
    this.fetches++;
    return this.held.get(name);
  };
  offer = (name: string, offered: CachedModel) => void this.held.set(name, offered);
}

test('models stay within the size limit by dropping the least recently used', async () => {
  const modelCache = new ProcessModelCache(24);
  const digestsOf = (names: string[]) =>
    Promise.all(names.map(async (name) => (await modelCache.find(ONE, name, false))?.digest));
  for (const name of ['a', 'b', 'c']) modelCache.trained(name, cachedModel(name, 8));
  expect(await digestsOf(['a'])).toEqual(['a']);
  modelCache.trained('d', cachedModel('d', 8));
  expect(await digestsOf(['a', 'b', 'c', 'd'])).toEqual(['a', undefined, 'c', 'd']);
  expect(modelCache.bytes).toBe(24);
  modelCache.trained('e', cachedModel('e', 28));
  expect([await modelCache.find(ONE, 'e', false), modelCache.bytes]).toEqual([undefined, 0]);
});

test('a model kept again under the same name replaces the earlier one and counts once', async () => {
  const modelCache = new ProcessModelCache(30);
  modelCache.trained('a', cachedModel('1', 20));
  modelCache.trained('a', cachedModel('2', 24));
  expect([(await modelCache.find(ONE, 'a', false))?.digest, modelCache.bytes]).toEqual(['2', 24]);
});

test('a model trained by another worker is found unchanged, in shared memory, and fetched only once', async () => {
  const shelf = new Shelf();
  const [one, other] = [new ProcessModelCache(100, shelf), new ProcessModelCache(100, shelf)];
  one.trained('a', cachedModel('a', 8));
  const found = await other.find(ONE, 'a', true);
  expect(found).toEqual(cachedModel('a', 8));
  expect(found!.ensemble.value.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(await other.find(OTHER, 'a', true)).toEqual(cachedModel('a', 8));
  expect([shelf.fetches, other.bytes]).toEqual([1, 8]);
  expect(await other.find(ONE, 'b', false)).toBeUndefined();
});

test('threads that need what another one is learning wait for it', async () => {
  const modelCache = new ProcessModelCache(100);
  expect(await modelCache.find(ONE, 'a', true)).toBeUndefined();
  const waiting = [modelCache.find(OTHER, 'a', true), modelCache.find(THIRD, 'a', false)];
  modelCache.trained('a', cachedModel('a', 8));
  expect(await Promise.all(waiting)).toEqual([cachedModel('a', 8), cachedModel('a', 8)]);
});

test('when a thread gives up what it was to learn, the next one that waits learns it', async () => {
  const modelCache = new ProcessModelCache(100);
  await modelCache.find(ONE, 'a', true);
  const [next, last] = [modelCache.find(OTHER, 'a', true), modelCache.find(THIRD, 'a', true)];
  modelCache.release(ONE);
  expect(await next).toBeUndefined();
  modelCache.trained('a', cachedModel('a', 8));
  expect(await last).toEqual(cachedModel('a', 8));
});

test('a thread that must end waits for no model, and its place is not given to it', async () => {
  const modelCache = new ProcessModelCache(100);
  await modelCache.find(ONE, 'a', true);
  const waiting = modelCache.find(OTHER, 'a', true);
  modelCache.release(OTHER);
  expect(await waiting).toBeUndefined();
  modelCache.release(ONE);
  expect(await modelCache.find(THIRD, 'a', true)).toBeUndefined();
});
