import { processorSeconds } from './processes.ts';

/** CPU use during some work, by process: CPU seconds a second. */
export interface Cost {
  seconds: number;
  processors: Record<string, number>;
}

/** Runs the work and measures the CPU use of these processes. A process that ends meanwhile counts as 0. */
export async function costOf<T>(
  pids: Record<string, number>,
  work: () => Promise<T>,
): Promise<{ result: T; cost: Cost }> {
  const before = secondsOf(pids);
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1_000;
  const after = secondsOf(pids);
  const processors = Object.fromEntries(
    Object.keys(pids).map((name) => [name, Math.max(0, (after[name]! - before[name]!) / seconds) || 0]),
  );
  return { result, cost: { seconds, processors } };
}

/** The total CPU use of the processes whose names start with `prefix`. */
export function processorsOf({ processors }: Cost, prefix = ''): number {
  const wanted = Object.entries(processors).filter(([name]) => name.startsWith(prefix));
  return wanted.reduce((sum, [, used]) => sum + used, 0);
}

function secondsOf(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorSeconds(pid)]));
}
