import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMALL_MARKET } from '#support/fleets/fleet.ts';
import { pollUntilFinal, type JobBody } from '#support/fleets/jobs.ts';
import type { Rest } from '#support/fleets/rest.ts';
import { withStage } from '#support/measuring/stage.ts';
import { needingSmallDisk, SmallDisk } from '#support/servers/small-disk.ts';
import type { Figure } from '#support/measuring/report.ts';

/** A little more than a start requires. */
const DISK_MEGABYTES = 1_100;
const GIVE_UP_MS = 180_000;
const PAUSE_MS = 100;

/** Time from space on a disk that was full until a new run succeeds, on a fleet of its own. */
export async function fullDiskFigure(): Promise<Figure> {
  const what = 'from space on a full disk until a new run has succeeded';
  if (needingSmallDisk.skip) return { what, measured: `skipped: needs ${needingSmallDisk.meta.needs}` };
  const disk = new SmallDisk(DISK_MEGABYTES);
  try {
    const env = { ...SMALL_MARKET, STATE_DIR: path.join(disk.dir, 'state') };
    return await withStage(env, async ({ rest }) => {
      // Without a refusal first, the stream would not have met the full disk.
      while ((await accepted(rest, () => disk.fill())) !== undefined);
      disk.free();
      const begunMs = performance.now();
      while (!(await hasSucceeded(rest))) {
        if (performance.now() - begunMs > GIVE_UP_MS) throw new Error('no run succeeds after a full disk');
        await sleep(PAUSE_MS);
      }
      const seconds = (performance.now() - begunMs) / 1_000;
      return { what, measured: `${seconds.toFixed(1)} s`, bar: '< 30 s' };
    });
  } finally {
    disk.remove();
  }
}

/** The job of a new run; undefined when it is refused. */
async function accepted(rest: Rest, before: () => void = () => {}): Promise<string | undefined> {
  before();
  const path = '/api/v1/models/confluence_filter/runs';
  const { status, body } = await rest.post<JobBody>(path, {}, { endUser: 'bench' });
  return status === 202 ? body.job_id : undefined;
}

async function hasSucceeded(rest: Rest): Promise<boolean> {
  const jobId = await accepted(rest);
  return jobId !== undefined && (await pollUntilFinal(rest, jobId, GIVE_UP_MS)).status === 'succeeded';
}
