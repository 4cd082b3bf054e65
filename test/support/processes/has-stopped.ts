import { readdirSync, readFileSync } from 'node:fs';

/** Whether every thread of a process has stopped: one that has not may still answer. */
export function hasStopped(pid: number): boolean {
  const states = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .charAt(0),
  );
  return states.every((state) => state === 'T');
}
