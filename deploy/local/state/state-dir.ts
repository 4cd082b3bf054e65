import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../configuration/start-error.ts';

/** The directory to which the local fleet writes everything. */
export class StateDir {
  readonly root: string;

  /** @throws StartError when the directory cannot be created or written */
  constructor(root: string) {
    this.root = root;
    try {
      makeWithParents(root);
      accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new StartError(
        `The state directory ${root} cannot be made or written (${(error as NodeJS.ErrnoException).code}): set STATE_DIR to another one.`,
        { cause: error },
      );
    }
  }

  path(name: string): string {
    return path.join(this.root, name);
  }

  logFile(processName: string): string {
    return path.join(this.root, 'logs', `${processName}.log`);
  }
}

/** Node's own way would try for ever below a folder in which nothing can be made, such as /proc. */
function makeWithParents(dir: string): void {
  if (existsSync(dir)) return;
  makeWithParents(path.dirname(dir));
  mkdirSync(dir, { mode: 0o700 });
}

/** A file that exists in a state directory while a backup is being restored into it. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** @throws StartError when a restore was interrupted, because a partial state directory looks like a complete one */
export function checkRestored(stateDir: StateDir): void {
  if (!existsSync(stateDir.path(UNFINISHED_RESTORE))) return;
  throw new StartError(
    `A restore into ${stateDir.root} was interrupted. Delete this directory, and restore the backup again.`,
  );
}
