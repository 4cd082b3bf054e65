import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Names the folder for files that a test run makes only once; vitest passes it to its workers. */
const FOLDER = 'SARING_MADE_ONCE';
const MADE_WITHIN_MS = 180_000;
const CHECK_EVERY_MS = 200;

/** Global setup of vitest. Groups share the folder; the one that makes it removes it. */
export default async function placeFolder(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[FOLDER] !== undefined) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-made-once-'));
  process.env[FOLDER] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Copies a folder that `make` fills once in a test run. The first process to need it calls `make`, and the others wait. Outside
 * a test run this does nothing.
 */
export async function copyMadeOnce(
  name: string,
  target: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  const made = path.join(folder, name);
  // Only one process can create this folder, which stays.
  const isFirst = await mkdir(`${made}.taken`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    // Servers in containers do not write there.
    await mkdir(`${made}.unfinished`, { mode: 0o700 });
    await make(`${made}.unfinished`);
    await rename(`${made}.unfinished`, made);
  }
  const giveUpAt = Date.now() + MADE_WITHIN_MS;
  while (!existsSync(made) && Date.now() < giveUpAt) await sleep(CHECK_EVERY_MS);
  // Preserves ownership: servers that may not run as root own their files there.
  await promisify(execFile)('cp', ['--archive', `${made}/.`, target]);
}
