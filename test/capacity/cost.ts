import { processorSeconds } from '../bench/processes.ts';

/** What work took of the processors, by process: seconds of processor a second. */
export interface Cost {
  seconds: number;
  processors: Record<string, number>;
}

/** Does the work and says what each of these processes took for it. A process that ends meanwhile counts as nothing. */
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

/** All processors that a group of processes took, by the beginning of their names. */
export function processorsOf({ processors }: Cost, prefix = ''): number {
  const wanted = Object.entries(processors).filter(([name]) => name.startsWith(prefix));
  return wanted.reduce((sum, [, used]) => sum + used, 0);
}

function secondsOf(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorSeconds(pid)]));
}
