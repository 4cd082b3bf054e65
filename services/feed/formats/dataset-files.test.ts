import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { unpacked } from '../origins/unpacked.ts';
import { DatasetFiles } from './dataset-files.ts';

const CSV = Buffer.from('ticker,close\nQAAA,1\nQBBB,2\n');
const read = (name: string, bytes: Buffer, day?: string) =>
  new DatasetFiles().read(unpacked({ name, bytes }, 1_000_000), day);

async function tarOf(files: Record<string, Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of Object.entries(files)) archive.entry({ name }, bytes);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('a file reaches the importer as it came, in the folder of its day', async () => {
  const { files, rows, digest } = await read('day.csv', CSV, '2024-07-01');
  expect(files).toEqual([{ path: '2024-07-01/day.csv', bytes: CSV }]);
  expect(rows).toBe(2);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

test('a gzipped tar is unpacked into its files, with their folders', async () => {
  const tar = await tarOf({ 'bars/QAAA.csv': CSV, 'listing/Sectors/Energy.csv': CSV });
  const { files } = await read('days.tar.gz', gzipSync(tar));
  expect(files.map(({ path }) => path)).toEqual(['bars/QAAA.csv', 'listing/Sectors/Energy.csv']);
});

test('a damaged archive, or one that unpacks to too much, is refused', async () => {
  const tar = await tarOf({ 'bars/QAAA.csv': CSV });
  await failureOf(read('days.tar', tar.subarray(0, 520)), 'truncated');
  await failureOf((async () => read('days.tar.gz', gzipSync(tar).subarray(0, 60)))(), 'truncated');
  await failureOf((async () => read('bomb.csv.gz', gzipSync(Buffer.alloc(2_000_000))))(), 'too_large');
});
