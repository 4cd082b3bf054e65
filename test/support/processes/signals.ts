import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sends a process a signal. @returns whether there was such a process */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** The process's descendants at all levels. A process that ends meanwhile is left out. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(emptyIfGone))
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);
  const families = await Promise.all(children.map(async (child) => [child, ...(await descendantsOf(child))]));
  return families.flat();
}

function emptyIfGone(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
  throw error;
}

/** Whether every thread of a process has stopped. A thread that has not may still answer. */
export function hasStopped(pid: number): boolean {
  const states = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .charAt(0),
  );
  return states.every((state) => state === 'T');
}

/**
 * Stops a process and its descendants until the returned function is called. Their connections stay open and answer nothing.
 * Resolves when every thread has stopped, because until then one may still answer.
 */
export async function freezeFamily(pid: number): Promise<() => void> {
  const listed = [pid, ...(await descendantsOf(pid))];
  // The children of a server come and go, so some of them may have ended already.
  const family = listed.filter((one) => signal(one, 'SIGSTOP'));
  while (!family.every(hasStopped)) await sleep(5);
  return () => thaw(family);
}

/** Resumes frozen processes. A supervisor may have ended some of them meanwhile. */
export function thaw(pids: number[]): void {
  for (const pid of pids) signal(pid, 'SIGCONT');
}
