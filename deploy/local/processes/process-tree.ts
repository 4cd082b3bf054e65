import { readdirSync, readFileSync } from 'node:fs';

/**
 * Ends a process and all it has started. Children that are stopped would otherwise outlive it for good, and keep what
 * the next life of the process needs, as PostgreSQL's do its shared memory.
 */
export function killTree(pid: number): void {
  for (const one of [...descendantsOf(pid), pid]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Known on Linux only; elsewhere there are no embedded servers, and the services start nothing. */
function descendantsOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => childrenOf(pid, task));
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function childrenOf(pid: number, task: string): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
