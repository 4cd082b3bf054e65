import path from 'node:path';
import { freezeWorkerMidRun, type BrokenFleet } from '#support/fleets/broken-fleet.ts';
import { SMALL_MARKET } from '#support/fleets/fleet.ts';
import type { Figure } from '#support/measuring/report.ts';
import { withStage } from '#support/measuring/stage.ts';
import { pollUntilFinal, untilRunSucceeds } from '#support/rest/jobs.ts';
import type { Rest } from '#support/rest/rest.ts';
import { needingSmallDisk, SmallDisk } from '#support/servers/small-disk.ts';

/** A little more than a start requires. */
const DISK_MEGABYTES = 1_100;
const GIVE_UP_MS = 180_000;

/** Time from space on a disk that was full until a new run succeeds, on a fleet of its own. */
export async function fullDiskFigure(): Promise<Figure> {
  const what = 'from space on a full disk until a new run has succeeded';
  if (needingSmallDisk.skip) return { what, measured: `skipped: needs ${needingSmallDisk.meta.needs}` };
  const disk = new SmallDisk(DISK_MEGABYTES);
  try {
    const env = { ...SMALL_MARKET, STATE_DIR: path.join(disk.dir, 'state') };
    return await withStage(env, async ({ rest }) => {
      // Without a refusal first, the stream would not have met the full disk.
      do disk.fill();
      while (await isAccepted(rest));
      disk.free();
      const seconds = (await untilRunSucceeds(rest, GIVE_UP_MS)) / 1_000;
      return { what, measured: `${seconds.toFixed(1)} s`, bar: '< 30 s' };
    });
  } finally {
    disk.remove();
  }
}

/** Whether a new run is accepted. */
async function isAccepted(rest: Rest): Promise<boolean> {
  const { status } = await rest.post('/api/v1/models/confluence_filter/runs', {}, { endUser: 'bench' });
  return status === 202;
}

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
