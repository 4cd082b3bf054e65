import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REPOSITORY } from './fleet.ts';

/** Not copied: `node_modules`, which is linked instead, and folders that the programs do not need. */
const LEFT_OUT = ['node_modules', '.git', '.saring', 'docs'];

/** Copies the programs, so that a test can change what a fleet runs. The caller removes the folder. */
export async function copySources(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-sources-'));
  await cp(REPOSITORY, folder, {
    recursive: true,
    filter: (file) => !LEFT_OUT.includes(path.relative(REPOSITORY, file)),
  });
  await symlink(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}
