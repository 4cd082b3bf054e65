import { expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { beganWith, fingerprintOf, isMadeBy, originFingerprintOf } from './request/import-source.ts';

const request = {
  kind: 'real',
  sha256: () => 'a',
  adds: false,
  brokers: { synthesizes: false, ...USUAL_ASSUMPTIONS },
};
const made = (version: string, of: typeof request, base?: Dataset) => {
  const fingerprint = fingerprintOf(of, base);
  const origin_fingerprint = base?.origin_fingerprint ?? originFingerprintOf(of);
  return { version, kind: of.kind, fingerprint, origin_fingerprint } as Dataset;
};

test('every input that can change the data changes the fingerprint', () => {
  const requests = [
    request,
    { ...request, sha256: () => 'b' },
    { ...request, adds: true },
    { ...request, brokers: { ...request.brokers, synthesizes: true } },
    { ...request, brokers: { ...request.brokers, unit: 'lots' as const } },
    { ...request, brokers: { ...request.brokers, mode: 'net' as const } },
    { ...request, brokers: { ...request.brokers, seed: 7 } },
  ];
  const bases = [undefined, { fingerprint: 'x' }, { fingerprint: 'y' }];
  const fingerprints = requests.flatMap((other) => bases.map((base) => fingerprintOf(other, base)));
  expect(new Set(fingerprints).size).toBe(requests.length * bases.length);
  expect(fingerprintOf({ ...request, sha256: () => 'a' }, undefined)).toBe(fingerprints[0]);
});

test('a version counts as already imported if the same import made it, alone or on a published version', () => {
  const adds = { ...request, sha256: () => 'day', adds: true };
  const whole = made('v1', request);
  const added = made('v2', adds, whole);
  expect(isMadeBy(request, whole, [whole])).toBe(true);
  expect(isMadeBy({ ...request, kind: 'synthetic' }, whole, [whole])).toBe(false);
  expect(isMadeBy(adds, added, [added, whole])).toBe(true);
  expect(isMadeBy(request, added, [added, whole])).toBe(false);
  expect(isMadeBy({ ...adds, adds: false }, added, [added, whole])).toBe(false);
});

test('a version with later additions still matches the full import it started from and no other', () => {
  const adds = { ...request, sha256: () => 'day', adds: true };
  const whole = made('v1', request);
  const added = made('v2', adds, whole);
  const addedTwice = made('v3', { ...adds, sha256: () => 'next day' }, added);
  expect(beganWith(request, addedTwice)).toBe(true);
  const synthesizes = { ...request, brokers: { ...request.brokers, synthesizes: true } };
  expect(beganWith(synthesizes, addedTwice)).toBe(true);
  const lots = { ...request, brokers: { ...request.brokers, unit: 'lots' as const } };
  expect(beganWith(lots, addedTwice)).toBe(false);
  expect(beganWith({ ...request, sha256: () => 'other' }, addedTwice)).toBe(false);
  expect(beganWith({ ...request, kind: 'synthetic' }, addedTwice)).toBe(false);
  expect(beganWith(adds, added)).toBe(false);
});

test('a start with the file of a version that an older release made keeps that version, and what was added to it', () => {
  expect(originFingerprintOf(request)).toBe(
    'b3f7511c8507c7f1e82f152b6c39b09a9e77712f799ad6b8efdb867d0e49597d',
  );
});
