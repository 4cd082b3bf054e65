import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandFailure } from '../terminal/command-failure.ts';
import { Upload } from './upload.ts';

const CHUNK_BYTES = 256 * 1024;
const REAL = {
  kind: 'real',
  adds: false,
  may_shrink: false,
  synthesize_brokers: false,
  broker_unit: '',
  broker_mode: '',
};
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-upload-'));
  await mkdir(path.join(folder, 'bars', '.git'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: string) => writeFile(path.join(folder, name), content);

async function sent(upload: Upload) {
  const parts = [];
  for await (const { part } of upload.messages(REAL)) parts.push(part);
  const chunks = parts.flatMap((part) => (part.$case === 'chunk' ? [Buffer.from(part.value)] : []));
  return { first: parts[0], last: parts.at(-1), chunks, bytes: Buffer.concat(chunks) };
}

async function namesIn(tar: Buffer): Promise<string[]> {
  const names: string[] = [];
  const entries = extract();
  Readable.from([tar]).pipe(entries);
  for await (const entry of entries) {
    names.push(entry.header.name);
    entry.resume();
  }
  return names;
}

test('an upload has a header, equal chunks except the last, and the hash of all bytes', async () => {
  await write('AAAA.csv', 'x'.repeat(2 * CHUNK_BYTES + 5));
  const upload = await Upload.of(path.join(folder, 'AAAA.csv'));
  const { first, last, chunks, bytes } = await sent(upload);
  expect(first).toMatchObject({ $case: 'header', value: { source: 'AAAA.csv', kind: 'real' } });
  expect(chunks.map(({ length }) => length)).toEqual([CHUNK_BYTES, CHUNK_BYTES, 5]);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(last).toEqual({ $case: 'end_sha256', value: sha256 });
  expect(await upload.sha256()).toBe(sha256);
});

test('a name with characters that act on a terminal is sent escaped', async () => {
  await write('a\u202eb\x1b.csv', 'x');
  const { first } = await sent(await Upload.of(path.join(folder, 'a\u202eb\x1b.csv')));
  expect(first).toMatchObject({ value: { source: 'a\\u202eb\\x1b.csv' } });
});

test('a folder is sent as a tar of its data files sorted by name, without hidden files', async () => {
  for (const name of ['bars/BBBB.csv', 'bars/AAAA.CSV', 'all.csv', 'brokers.json', 'brokers.csv.gz'])
    await write(name, `${name}\n`.repeat(30_000));
  for (const name of ['bars/._BBBB.csv', '.hidden.csv', 'bars/.git/x.csv', 'README.md'])
    await write(name, 'no');
  const { chunks, bytes } = await sent(await Upload.of(folder));
  expect(await namesIn(bytes)).toEqual([
    'all.csv',
    'bars/AAAA.CSV',
    'bars/BBBB.csv',
    'brokers.csv.gz',
    'brokers.json',
  ]);
  expect(chunks.slice(0, -1).every(({ length }) => length === CHUNK_BYTES)).toBe(true);
});

test('the hash of a folder depends on its content, not on modification times', async () => {
  await write('AAAA.csv', 'one');
  const before = await (await Upload.of(folder)).sha256();
  await utimes(path.join(folder, 'AAAA.csv'), new Date(0), new Date(0));
  expect(await (await Upload.of(folder)).sha256()).toBe(before);
  await write('AAAA.csv', 'two');
  expect(await (await Upload.of(folder)).sha256()).not.toBe(before);
});

test('a file deleted before it is read is named in the error, and the upload sends no end', async () => {
  await write('AAAA.csv', 'x'.repeat(3 * CHUNK_BYTES));
  await write('BBBB.csv', 'x');
  const upload = await Upload.of(folder);
  await rm(path.join(folder, 'BBBB.csv'));
  const cases: string[] = [];
  const sending = (async () => {
    for await (const { part } of upload.messages(REAL)) cases.push(part.$case);
  })();
  await expect(sending).rejects.toThrow(CommandFailure);
  expect(upload.failure?.message).toContain('BBBB.csv');
  expect(cases).not.toContain('end_sha256');
});

test('an empty folder and a missing path are refused before anything is sent', async () => {
  await expect(Upload.of(folder)).rejects.toThrow('no CSV or JSON file');
  await expect(Upload.of(path.join(folder, 'nowhere'))).rejects.toThrow('no file or folder');
});
