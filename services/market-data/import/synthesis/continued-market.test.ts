import { expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { continuedMarket } from './continued-market.ts';
import { sampleMarket, type GeneratedSource } from './sample-market.ts';

const { signal } = new AbortController();
const SIZE = { tickers: 30, days: 60 };

/** The lines of each file of bars, without its header. */
async function linesOf({ files }: GeneratedSource): Promise<Map<string, string[]>> {
  const lines = new Map<string, string[]>();
  for await (const { path, bytes } of files) {
    if (!path.startsWith('bars/')) continue;
    for await (const piece of bytes) lines.set(path, piece.toString().trim().split('\n').slice(1));
  }
  return lines;
}

const datesOf = (lines: Map<string, string[]>) => [
  ...new Set([...lines.values()].flat().map((line) => line.slice(0, 10))),
];

/** A version that a sample and then more days would make. */
async function versionOf(...sources: GeneratedSource[]) {
  const dates: string[] = [];
  for (const source of sources) dates.push(...datesOf(await linesOf(source)));
  const days = dates.toSorted();
  const { generated } = sources[0]!;
  const dataset = {
    version: 'v',
    fingerprint: `${days.length}`,
    last_date: days.at(-1)!,
    generated,
  } as Dataset;
  return { dataset, days };
}

const sample = () => sampleMarket({ seed: 4 }, SIZE, signal);

test('more days at once are the same as one day after the other, and follow the last day', async () => {
  const base = await versionOf(sample());
  const atOnce = await linesOf(continuedMarket(base, 3, signal));
  const [first, then] = [continuedMarket(base, 1, signal), continuedMarket(base, 1, signal)];
  const later = continuedMarket(await versionOf(sample(), then), 2, signal);
  const [dayOne, rest] = [await linesOf(first), await linesOf(later)];
  const joined = new Map(
    [...atOnce.keys()].map((path) => [path, [...dayOne.get(path)!, ...rest.get(path)!]]),
  );
  expect(joined).toEqual(atOnce);
  expect(datesOf(atOnce)).toEqual(['2026-10-01', '2026-10-02', '2026-10-05']);
});

test('the fingerprint differs by version and number of days', async () => {
  const base = await versionOf(sample());
  const next = await versionOf(sample(), continuedMarket(base, 1, signal));
  const of = (...[version, more]: [typeof base, number]) => continuedMarket(version, more, signal).sha256();
  expect(of(base, 1)).toBe(of(base, 1));
  expect(new Set([of(base, 1), of(base, 2), of(next, 1)]).size).toBe(3);
});

test('a market that is not all generated, or by another edition, is refused', async () => {
  const { dataset, days } = await versionOf(sample());
  const from = (generated: Dataset['generated']) => () =>
    continuedMarket({ dataset: { ...dataset, generated }, days }, 1, signal);
  expect(from(undefined)).toThrow('v cannot be continued, because not all of its bars are generated');
  expect(from({ ...dataset.generated!, edition: 2 })).toThrow('edition 2 of the generator made it');
  expect(() =>
    continuedMarket({ dataset: { ...dataset, last_date: '2149-06-06' }, days }, 1, signal),
  ).toThrow('past 2149-06-06');
});
