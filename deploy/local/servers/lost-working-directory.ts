import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Disables the SQL function `file()` for every user of the embedded ClickHouse. No grant protects that function, and the entry
 * point used here is made for a local command line and does not restrict it to a directory: any user could read any file of the
 * host. But the function first asks for the working directory. For a process whose working directory was removed, the kernel
 * returns none, even if another directory gets the same name.
 *
 * The server itself needs the working directory while it starts. So the host enters the directory, and removes it before it
 * lets clients in.
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
