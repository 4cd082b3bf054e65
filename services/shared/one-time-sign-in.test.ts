import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerSignIn, takeSignIn } from './one-time-sign-in.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sign-in-'));
  file = path.join(folder, 'console-sign-in.json');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a token can be exchanged for its key only once', () => {
  const token = offerSignIn(file, 'sar_key', 60_000);
  expect(takeSignIn(file, 'another')).toBeUndefined();
  expect(takeSignIn(file, token)).toBe('sar_key');
  expect(takeSignIn(file, token)).toBeUndefined();
});

test('an offer expires after its time or when a new one is made', () => {
  const late = offerSignIn(file, 'sar_key', 60_000);
  expect(takeSignIn(file, late, Date.now() + 60_001)).toBeUndefined();
  expect(takeSignIn(file, late)).toBeUndefined();
  const [first, second] = [offerSignIn(file, 'sar_1', 60_000), offerSignIn(file, 'sar_2', 60_000)];
  expect(takeSignIn(file, first)).toBeUndefined();
  expect(takeSignIn(file, second)).toBe('sar_2');
});

test('the file is readable by its owner only and does not contain the token', () => {
  const token = offerSignIn(file, 'sar_key', 60_000);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(token);
});
