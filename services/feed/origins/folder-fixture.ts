import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';

/** Gives each test a folder of its own, into which it drops files. Call at the top level of the file. */
export function ownFolder() {
  const own = {
    path: '',
    /** @param changedAt when the file was last changed, in seconds since 1970 */
    drop: async (name: string, text: string, changedAt = 1_000): Promise<void> => {
      await writeFile(join(own.path, name), text);
      await utimes(join(own.path, name), changedAt, changedAt);
    },
  };
  beforeEach(async () => {
    own.path = await mkdtemp(join(tmpdir(), 'feed-'));
    onTestFinished(() => rm(own.path, { recursive: true }));
  });
  return own;
}
