import { readFileSync } from 'node:fs';

/** Identifies a process uniquely: its id can be reused, but not together with its start time. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot, as Linux reports them; undefined on other systems. */
  started?: string | undefined;
}

const FIELDS_BEFORE_START_TIME = 19;

export function identify(pid: number): ProcessIdentity {
  return { pid, started: startTime(pid) };
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (started !== undefined) return startTime(pid) === started;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Undefined for a process that has ended, even if its parent has not noticed yet. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name in parentheses, can contain any character.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : fields[FIELDS_BEFORE_START_TIME - 1];
  } catch {
    return undefined;
  }
}
