import { readFile } from 'node:fs/promises';
import { descendantsOf } from '../support/processes/descendants.ts';
import type { Figure } from './report.ts';

/** Proportional set size of a process, MiB: shared pages count once over all processes that share them. */
export async function pssMiB(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

/** Resident set size of one process, now and at its highest. */
export async function residentFigure(what: string, pid: number, bar: string): Promise<Figure> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024).toFixed(0);
  return { what, measured: `${mebibytes('VmRSS')} MiB, at most ${mebibytes('VmHWM')} so far`, bar };
}

/** Memory of every process of a fleet at rest, and their sum. PostgreSQL's own children are counted with it. */
export async function memoryFigures(pids: Record<string, number>): Promise<Figure[]> {
  const figures: Figure[] = [];
  let sum = 0;
  for (const [name, pid] of Object.entries(pids)) {
    const family = [pid, ...(await descendantsOf(pid))];
    const sizes = await Promise.all(family.map(pssMiB));
    const size = sizes.reduce((total, one) => total + one, 0);
    sum += size;
    figures.push({ what: `memory of ${name}`, measured: `${size.toFixed(0)} MiB` });
  }
  return [
    ...figures,
    { what: 'memory of the whole fleet at rest', measured: `${sum.toFixed(0)} MiB`, bar: '< 2048 MiB' },
  ];
}
