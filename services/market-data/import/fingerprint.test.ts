import { expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { USUAL_ASSUMPTIONS } from './broker/broker-layout.ts';
import { begunWith, fingerprintOf, originFingerprintOf, sameAsNewest } from './fingerprint.ts';

const wish = {
  kind: 'real',
  sha256: () => 'a',
  adds: false,
  brokers: { synthesizes: false, ...USUAL_ASSUMPTIONS },
};
const made = (version: string, of: typeof wish, base?: Dataset) => {
  const fingerprint = fingerprintOf(of, base);
  const origin_fingerprint = base?.origin_fingerprint ?? originFingerprintOf(of);
  return { version, kind: of.kind, fingerprint, origin_fingerprint } as Dataset;
};

test('whatever may change the data changes the fingerprint', () => {
  const wishes = [
    wish,
    { ...wish, sha256: () => 'b' },
    { ...wish, adds: true },
    { ...wish, brokers: { ...wish.brokers, synthesizes: true } },
    { ...wish, brokers: { ...wish.brokers, unit: 'lots' as const } },
    { ...wish, brokers: { ...wish.brokers, mode: 'net' as const } },
    { ...wish, brokers: { ...wish.brokers, seed: 7 } },
  ];
  const bases = [undefined, { fingerprint: 'x' }, { fingerprint: 'y' }];
  const fingerprints = wishes.flatMap((other) => bases.map((base) => fingerprintOf(other, base)));
  expect(new Set(fingerprints).size).toBe(wishes.length * bases.length);
  expect(fingerprintOf({ ...wish, sha256: () => 'a' }, undefined)).toBe(fingerprints[0]);
});

test('the newest version is the same when the same import made it, by itself or on top of an older one', () => {
  const adds = { ...wish, sha256: () => 'day', adds: true };
  const whole = made('v1', wish);
  const added = made('v2', adds, whole);
  expect(sameAsNewest(wish, [])).toBeUndefined();
  expect(sameAsNewest(wish, [whole])).toBe(whole);
  expect(sameAsNewest({ ...wish, kind: 'synthetic' }, [whole])).toBeUndefined();
  expect(sameAsNewest(adds, [added, whole])).toBe(added);
  expect(sameAsNewest(wish, [added, whole])).toBeUndefined();
  expect(sameAsNewest({ ...adds, adds: false }, [added, whole])).toBeUndefined();
});

test('a version that was added to still began with the whole it was made from, and with no other', () => {
  const adds = { ...wish, sha256: () => 'day', adds: true };
  const whole = made('v1', wish);
  const added = made('v2', adds, whole);
  const addedTwice = made('v3', { ...adds, sha256: () => 'next day' }, added);
  expect(begunWith(wish, [addedTwice, added, whole])).toBe(addedTwice);
  // An older version is pruned and the newest keeps its origin.
  expect(begunWith(wish, [addedTwice])).toBe(addedTwice);
  const synthesizes = { ...wish, brokers: { ...wish.brokers, synthesizes: true } };
  expect(begunWith(synthesizes, [addedTwice])).toBe(addedTwice);
  const lots = { ...wish, brokers: { ...wish.brokers, unit: 'lots' as const } };
  expect(begunWith(lots, [addedTwice])).toBeUndefined();
  expect(begunWith({ ...wish, sha256: () => 'other' }, [addedTwice])).toBeUndefined();
  expect(begunWith({ ...wish, kind: 'synthetic' }, [addedTwice])).toBeUndefined();
  expect(begunWith(adds, [added, whole])).toBeUndefined();
  expect(begunWith(wish, [])).toBeUndefined();
});
