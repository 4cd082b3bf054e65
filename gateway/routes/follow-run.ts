import type { Job } from '#proto/saring/models/v1/runs.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { Backend } from '../backend.ts';
import type { ClientCall } from '../routing/client-call.ts';
import { isFinal } from './watch-run.ts';
import { followedUntilOver, watchRun } from './watch-run.ts';
import { pause } from '#shared/waiting.ts';

interface FollowTimes {
  /** A watch is begun anew after this time: one whose other side fell silent would stay silent for ever. */
  watchMs: number;
  /** Before the next watch. */
  pauseMs: number;
  /** Following ends when nothing was heard for so long. */
  giveUpMs: number;
}

const TIMES: FollowTimes = { watchMs: 20_000, pauseMs: 500, giveUpMs: 60_000 };

/**
 * The run at each change of its status after `seen`, up to its final state. It ends before that when the call is over,
 * the gateway stops, the job is no more, or the models service stays away; it never fails.
 */
export async function* followRun(
  seen: Job,
  call: ClientCall,
  { services, stopping }: Pick<Backend, 'services' | 'stopping'>,
  times = TIMES,
): AsyncGenerator<Job> {
  const { signal, end } = followedUntilOver(call, stopping);
  let latest = seen;
  let heardAtMs = performance.now();
  try {
    while (!isFinal(latest) && !signal.aborted && performance.now() - heardAtMs < times.giveUpMs) {
      try {
        for await (const job of watchRun(seen.job_id, call, services, { signal, timeoutMs: times.watchMs })) {
          heardAtMs = performance.now();
          if (job.status !== latest.status) yield (latest = job);
          if (isFinal(job)) return;
        }
      } catch (error) {
        if (!isAway(error)) return;
      }
      await pause(times.pauseMs, signal);
    }
  } finally {
    end();
  }
}

function isAway(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'model_unavailable';
}
