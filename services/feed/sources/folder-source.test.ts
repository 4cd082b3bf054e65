import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { summaryJson } from '../formats/summary-fixture.ts';
import { declaredIn, dueRequest, marketOf, publicationTo } from './market-fixture.ts';
import { ownFolder } from '../origins/folder-fixture.ts';
import { UNCHANGED_FOR_MS } from '../origins/drop-folder.ts';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import type { Delivered } from '../deliveries/delivery.ts';
import type { Source } from './source.ts';

const MARKET = marketOf(['2024-06-28']);
const own = ownFolder();
const { drop } = own;
let source: Source;
let nowMs = Date.parse('2024-07-03T13:00:00Z');
let brought: Set<string>;
const never = new AbortController().signal;

beforeEach(async () => {
  brought = new Set();
  source = await anotherCopy();
});

/** A source as another process, or this one after a restart, has it. */
function anotherCopy(): Promise<Source> {
  const declared = { name: 'inbox', format: 'idx_summary', from: { folder: own.path } };
  return declaredIn(own.path, declared, { clock: () => new Date(nowMs) });
}

async function due(market = MARKET): Promise<string[]> {
  const look = () =>
    source.due(
      dueRequest(market, new Date(nowMs).toISOString(), {
        hasBrought: async (digest) => brought.has(digest),
      }),
    );
  await look().catch(() => {});
  nowMs += UNCHANGED_FOR_MS;
  return look();
}

/** Fetches and publishes everything due, as the rounds do. */
async function turn() {
  const delivered: Delivered[] = [];
  for (const subject of await due())
    delivered.push({ subject, delivery: await source.fetch(subject, never) });
  const { to, uploads } = publicationTo(MARKET);
  if (delivered.length > 0) await source.publish(delivered, to);
  for (const { delivery } of delivered) brought.add(delivery.digest);
  return { subjects: delivered.map(({ subject }) => subject), upload: uploads[0] };
}

test('files are published once, in any order of days, and stay where they are', async () => {
  await drop('b.json', summaryJson('2024-07-01'), 20);
  await drop('a.json', summaryJson('2024-07-02'), 10);
  const { subjects, upload } = await turn();
  expect(subjects).toEqual(['a.json', 'b.json']);
  expect(upload!.header).toMatchObject({
    source: 'inbox: a.json to b.json',
    kind: 'real',
    adds: true,
    may_shrink: false,
  });
  expect(await due()).toEqual([]);
});

test('a duplicate or renamed file is not fetched again, also after a restart', async () => {
  await drop('a.json', summaryJson('2024-07-01'), 10);
  await drop('copy of a.json', summaryJson('2024-07-01'), 20);
  expect((await turn()).subjects).toEqual(['a.json']);
  await rename(join(own.path, 'a.json'), join(own.path, 'z.json'));
  expect(await due()).toEqual([]);
  source = await anotherCopy();
  expect(await due()).toEqual([]);
});

test('a corrected file is fetched again under the same name', async () => {
  await drop('a.json', summaryJson('2024-07-01'), 10);
  await turn();
  await drop('a.json', summaryJson('2024-07-01', { Close: 1025 }), 20);
  expect((await turn()).subjects).toEqual(['a.json']);
});

test('of two files with the same day, the later one counts: its rows come first in the upload', async () => {
  await drop('z-first.json', summaryJson('2024-07-01'), 10);
  await drop('a-correction.json', summaryJson('2024-07-01', { Close: 1025 }), 20);
  const { upload } = await turn();
  const bars = upload!.files
    .filter(({ path }) => path.includes('bars/'))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect(bars.map(({ path }) => path)).toEqual(['1/bars/2024-07-01.csv', '2/bars/2024-07-01.csv']);
  expect(bars[0]!.bytes.toString()).toContain(',1025,');
  expect(bars[1]!.bytes.toString()).not.toContain(',1025,20');
});

test('nothing is due on a synthetic market, and the reason says what to do', async () => {
  await drop('a.json', summaryJson('2024-07-01'), 10);
  const { message } = await failureOf(due(marketOf(['2024-06-28'], { kind: 'synthetic' })), 'refused');
  expect(message).toContain(
    'The served market is synthetic, so this source has nothing to add to. Import real data first',
  );
});
