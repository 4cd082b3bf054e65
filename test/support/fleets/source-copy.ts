import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './fleet.ts';

/** Installed, stored or of no use to what runs. */
const LEFT_OUT = ['node_modules', '.git', '.saring', 'docs'];

/** A copy of the programs, in which a test may change what a fleet runs. Whoever makes it removes the folder. */
export async function copySources(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-sources-'));
  await cp(REPOSITORY, folder, {
    recursive: true,
    filter: (file) => !LEFT_OUT.includes(path.relative(REPOSITORY, file)),
  });
  await symlink(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}
