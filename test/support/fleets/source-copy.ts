import { execFile } from 'node:child_process';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../repository.ts';

/** Not copied: `node_modules`, which is linked instead, and folders that the programs do not need. */
const LEFT_OUT = ['node_modules', '.git', '.saring', 'docs'];

/** Copies the sources and what is built of them, so that a test can change what a fleet runs. The caller removes the folder. */
export async function copySources(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-sources-'));
  await cp(REPOSITORY, folder, {
    recursive: true,
    filter: (file) => !LEFT_OUT.includes(path.relative(REPOSITORY, file)),
  });
  await symlink(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Builds the programs of a copy whose sources were changed. */
export async function buildCopy(sources: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['deploy/bundle/main.ts'], { cwd: sources });
}
