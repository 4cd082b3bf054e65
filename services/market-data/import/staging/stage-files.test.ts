import { expect, test } from 'vitest';
import { Progress } from '../request/progress.ts';
import type { Staging } from './staging.ts';
import type { ArchivedFile } from '../files/archive.ts';
import { stageFiles } from './stage-files.ts';

const MIB = 1024 ** 2;

/** Stages files of which none is data, so that the store is not needed. */
function skipAll(files: ArchivedFile[]) {
  async function* all() {
    yield* files;
  }
  const assumed = { unit: 'lots', mode: 'gross' } as const;
  return stageFiles(all(), {} as Staging, { latestDay: '2149-06-06', assumed }, new Progress());
}

/** A file of this size. Counts how much of it is read. */
function fileOf(path: string, mib: number) {
  const read = { mib: 0 };
  const piece = Buffer.alloc(MIB, '{"a":1}\n');
  async function* bytes() {
    for (; read.mib < mib; read.mib++) yield piece;
  }
  return { path, bytes: bytes(), read };
}

test('files that are no data are read to their end, so that the archive goes on', async () => {
  const files = [fileOf('read me.csv', 3), fileOf('data.json', 5)];
  expect(await skipAll(files)).toMatchObject({
    count: 2,
    bytes: 8 * MIB,
    first: { path: 'read me.csv', why: `no known file begins with '{"a":1}'` },
  });
});

test.each([['my notes.csv'], ['my notes.json']])(
  'of %s and others that are no data, 1 GiB is read at most',
  async (path) => {
    const files = [fileOf('all others.csv', 600), fileOf(path, 600)];
    await expect(skipAll(files)).rejects.toMatchObject({
      code: 'import_rejected',
      message: expect.stringMatching(new RegExp(`^${path} is not market data: .* at most 1 GiB`)) as string,
    });
    expect(files.map(({ read }) => read.mib)).toEqual([600, 424]);
  },
);
