import { existsSync } from 'node:fs';
import { StartError } from '../start-error.ts';
import type { StateDir } from './state-dir.ts';

/** Stands in a state directory while a backup is restored into it. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** @throws StartError when a restore into the state directory was interrupted: a part of it looks like a whole one */
export function checkRestored(stateDir: StateDir): void {
  if (!existsSync(stateDir.path(UNFINISHED_RESTORE))) return;
  throw new StartError(
    `A restore into ${stateDir.root} was interrupted: delete this directory, and restore the backup again.`,
  );
}
