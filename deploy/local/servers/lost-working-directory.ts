import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Takes the SQL function `file()` from every user of the embedded ClickHouse. No grant guards that function, and the
 * entry point that is used here, made for a person's own command line, confines it to no directory: whoever may ask
 * anything could read any file of the host. But it asks for the working directory first, and of a process whose
 * working directory was removed the kernel knows none any more, even when another directory gets its name.
 *
 * The server itself asks for it while it starts, so the host enters the directory, and removes it before it lets
 * anyone ask.
 */
export function enterDoomedDirectory(dir: string): void {
  const doomed = doomedDirectory(dir);
  mkdirSync(doomed, { recursive: true });
  process.chdir(doomed);
}

export function removeDoomedDirectory(dir: string): void {
  rmSync(doomedDirectory(dir), { recursive: true, force: true });
}

function doomedDirectory(dir: string): string {
  return path.join(dir, 'removed-before-listening');
}
