import { readFileSync } from 'node:fs';
import { byProcess } from '#support/fleets/fleet.ts';
import { statOf } from '#support/processes/proc-stat.ts';
import { descendantsOf } from '#support/processes/signals.ts';
import type { Figure } from './report.ts';

/** CPU seconds of a process so far; 0 if it has ended. */
export function processorSeconds(pid: number): number {
  return statOf(pid)?.seconds ?? 0;
}

/** CPU seconds so far of a process and of all that descend from it, ended ones included. */
export async function familySeconds(pid: number): Promise<number> {
  const stats = [pid, ...(await descendantsOf(pid))].map(statOf);
  return stats.reduce((sum, stat) => sum + (stat ? stat.seconds + stat.secondsOfEndedChildren : 0), 0);
}

/**
 * Proportional set size of a process, MiB: a shared page counts in parts, divided among the processes that share it. 0 if the
 * process has ended, as backends of PostgreSQL do all the time.
 */
export function pssMiB(pid: number): number {
  try {
    return mebibytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
  } catch {
    return 0;
  }
}

function mebibytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
}

/** Resident set size of a process, current and peak. */
export function residentFigure(what: string, pid: number, bar: string): Figure {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [now, most] = ['VmRSS', 'VmHWM'].map((name) => mebibytes(status, name).toFixed(0));
  return { what, measured: `${now} MiB, at most ${most} so far`, bar };
}

/** Resident memory of every process of a fleet, MiB by name; NaN for a process that has ended. */
export function residentMiB(pids: Record<string, number>): Map<string, number> {
  const read = (pid: number) => {
    try {
      return mebibytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS');
    } catch {
      return Number.NaN;
    }
  };
  return new Map(Object.entries(byProcess(pids)).map(([name, pid]) => [name, read(pid)]));
}

/**
 * Memory of every process of a fleet, MiB by name: proportional set sizes. Child processes, such as those of PostgreSQL, are
 * included.
 */
export async function memoryMiB(pids: Record<string, number>): Promise<Record<string, number>> {
  const sizes = Object.entries(byProcess(pids)).map(async ([name, pid]) => {
    const family = [pid, ...(await descendantsOf(pid))];
    return [name, family.map(pssMiB).reduce((sum, size) => sum + size, 0)] as const;
  });
  return Object.fromEntries(await Promise.all(sizes));
}
