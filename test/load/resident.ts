import { readFile } from 'node:fs/promises';

/** Resident memory of every process of a fleet, MiB by name. */
export async function residentMiB(pids: Record<string, number>): Promise<Map<string, number>> {
  const read = async ([name, pid]: [string, number]): Promise<[string, number]> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return [name, Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024];
  };
  return new Map(await Promise.all(Object.entries(pids).map(read)));
}
