import type { Stage } from '#support/measuring/stage.ts';
import { defaultsLearnt, until, untilAtRest } from './readiness.ts';

/**
 * Seconds from a signal to every worker process until the run succeeds. A run submitted before one of the new processes is there
 * could go to a worker that was just killed, and would wait for its timeout.
 */
export async function restartSeconds(
  { fleet, rest }: Stage,
  signal: NodeJS.Signals,
  run: () => Promise<void>,
): Promise<number> {
  const { pids } = await fleet.file();
  const workers = Object.keys(pids).filter((name) => name.startsWith('model-worker-'));
  const areNew = async (which: 'some' | 'every') => {
    const now = (await fleet.file()).pids;
    return workers[which]((worker) => now[worker] !== undefined && now[worker] !== pids[worker]);
  };
  const begun = performance.now();
  for (const worker of workers) process.kill(pids[worker]!, signal);
  await until('a new worker', () => areNew('some'));
  await run();
  const seconds = (performance.now() - begun) / 1_000;
  await until('every worker is new', () => areNew('every'));
  await defaultsLearnt(rest);
  await untilAtRest(fleet.pid);
  return seconds;
}
