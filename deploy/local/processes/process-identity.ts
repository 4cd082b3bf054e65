import { readFileSync } from 'node:fs';

/** A process that another one cannot be taken for: its id may be given again, together with its start time never. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot, as Linux reports them; undefined where the system does not. */
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

/** Undefined for a process that is gone, also when its parent has not noticed yet. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name in parentheses, may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : fields[FIELDS_BEFORE_START_TIME - 1];
  } catch {
    return undefined;
  }
}
