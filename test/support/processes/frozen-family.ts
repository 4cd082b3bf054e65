import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from './descendants.ts';
import { hasStopped } from './has-stopped.ts';
import { signal } from './signal.ts';

/**
 * Stops a process and all it has started, whose connections stay open and answer nothing, until the function that comes
 * back is called. Resolves when every thread has stopped: until then one may still answer.
 */
export async function freezeFamily(pid: number): Promise<() => void> {
  const listed = [pid, ...(await descendantsOf(pid))];
  // A server's children come and go.
  const family = listed.filter((one) => signal(one, 'SIGSTOP'));
  while (!family.every(hasStopped)) await sleep(5);
  return () => thaw(family);
}

/** Lets frozen processes go on; a supervisor may have ended some of them meanwhile. */
export function thaw(pids: number[]): void {
  for (const pid of pids) signal(pid, 'SIGCONT');
}
