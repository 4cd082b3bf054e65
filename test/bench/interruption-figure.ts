import { type BrokenFleet, freezeWorkerMidRun } from '#support/fleets/broken-fleet.ts';
import { pollUntilFinal } from '#support/fleets/jobs.ts';
import type { Figure } from '#support/measuring/report.ts';

const GIVE_UP_MS = 120_000;

/** Time from the death of a worker during a run until a client reads that the run is interrupted. */
export async function interruptionFigure(own: BrokenFleet): Promise<Figure> {
  const { jobId, worker } = await freezeWorkerMidRun(own);
  const begunMs = performance.now();
  await own.fleet.kill9(worker);
  const { status } = await pollUntilFinal(own.rest, jobId, GIVE_UP_MS);
  if (status !== 'interrupted') throw new Error(`the run of a killed worker ended as ${status}`);
  const seconds = (performance.now() - begunMs) / 1_000;
  return {
    what: 'from kill -9 of a worker to its run read as interrupted',
    measured: `${seconds.toFixed(1)} s`,
    bar: '< 20 s',
  };
}
