import { readFileSync } from 'node:fs';

/** USER_HZ on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

export interface ProcessStat {
  parent: number;
  /** Tells processes apart that had the same id one after the other. */
  started: string;
  /** CPU seconds so far: all threads, user and system. */
  seconds: number;
  /** The same of its children that have ended, and of theirs. */
  secondsOfEndedChildren: number;
}

/** Undefined for a process that has ended. */
export function statOf(pid: number): ProcessStat | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The program's name before these fields may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (user: number, system: number) =>
    (Number(fields[user]) + Number(fields[system])) / TICKS_PER_SECOND;
  return {
    parent: Number(fields[1]),
    started: fields[19]!,
    seconds: seconds(11, 12),
    secondsOfEndedChildren: seconds(13, 14),
  };
}
