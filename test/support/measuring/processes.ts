import { readFileSync } from 'node:fs';
import { byProcess } from '#support/fleets/fleet.ts';
import { descendantsOf } from '#support/processes/signals.ts';
import type { Figure } from './report.ts';

/** USER_HZ on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the program's name, which may contain any character. */
const [UTIME, STIME] = [11, 12];

/** CPU seconds of a process so far: all threads, user and system. 0 if the process has ended. */
export function processorSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Proportional set size of a process, MiB: a shared page counts in parts, divided among the processes that share it. */
export function pssMiB(pid: number): number {
  return mebibytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
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

/** Memory of every process of an idle fleet, and their sum. Child processes, such as those of PostgreSQL, are included. */
export async function memoryFigures(pids: Record<string, number>): Promise<Figure[]> {
  const figures: Figure[] = [];
  let sum = 0;
  for (const [name, pid] of Object.entries(byProcess(pids))) {
    const size = [pid, ...(await descendantsOf(pid))].map(pssMiB).reduce((total, one) => total + one, 0);
    sum += size;
    figures.push({ what: `memory of ${name}`, measured: `${size.toFixed(0)} MiB` });
  }
  return [
    ...figures,
    { what: 'memory of the whole fleet at rest', measured: `${sum.toFixed(0)} MiB`, bar: '< 2048 MiB' },
  ];
}
