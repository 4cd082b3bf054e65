import { expect, test } from 'vitest';
import { USUAL_ASSUMPTIONS } from '#shared/data-format/broker-layout.ts';
import { kindOfFile, sector, ticker } from '../files/idx-format.ts';
import { sampleMarket } from './sample-market.ts';

const defaults = { tickers: 4, days: 30 };
const { signal } = new AbortController();

async function filesOf(seed: number): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, bytes } of sampleMarket({ seed }, defaults, signal).files) {
    for await (const piece of bytes) files.set(path, piece.toString());
  }
  return files;
}

test('a sample consists of files in the exchange’s format, including listings', async () => {
  const files = await filesOf(1);
  const kinds = [...files].map(([path, text]) =>
    kindOfFile(path, text.slice(0, text.indexOf('\n')), USUAL_ASSUMPTIONS),
  );
  expect(kinds.filter((kind) => typeof kind === 'object')).toHaveLength(4);
  expect(kinds).not.toContain('other');
  const listed = files.get('listing/all.csv')!.trim().split('\n').slice(1);
  expect(listed.map((line) => line.split(',')[0])).toEqual([...files.keys()].slice(0, 4).map(ticker));
  expect([...files.keys()].some((path) => sector(path) !== '')).toBe(true);
});

test('the same seed gives the same bytes and fingerprint; another seed or size changes the fingerprint', async () => {
  expect(await filesOf(1)).toEqual(await filesOf(1));
  expect(await filesOf(2)).not.toEqual(await filesOf(1));
  const fingerprint = (seed: number, days?: number) =>
    sampleMarket({ seed, days }, defaults, signal).sha256();
  expect(fingerprint(1)).toBe(fingerprint(1, 30));
  expect(new Set([fingerprint(1), fingerprint(2), fingerprint(1, 31)]).size).toBe(3);
});

test('a market can end in the past, and its last day is refused when it is out of range', async () => {
  const ending = (last_date: string) => sampleMarket({ seed: 1, last_date }, defaults, signal);
  for await (const { path, bytes } of ending('2015-06-30').files) {
    if (!path.startsWith('bars/')) continue;
    for await (const piece of bytes)
      expect(piece.toString().trim().split('\n').at(-1)).toMatch(/^2015-06-30,/);
  }
  expect(ending('2015-06-30').sha256()).not.toBe(ending('2015-06-29').sha256());
  expect(() => ending('1999-12-31')).toThrow('last_date: must be from 2001-12-31 to 2100-12-31');
});

test('an abort ends the generator', async () => {
  const left = new AbortController();
  left.abort();
  const { files } = sampleMarket({ seed: 1 }, defaults, left.signal);
  await expect(files[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'AbortError' });
});
