import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Tally } from './tally.ts';

/** How fast clients were while they were at it, and whether it was their own process that held them up. */
export interface Pace {
  /** Requests. */
  perSecond: number;
  /** Of one, 0 to 1. */
  ownProcessor: number;
  heldUpMs: [p99: number, max: number];
}

export async function paceDuring(tally: Tally, load: Promise<unknown>): Promise<Pace> {
  const delay = monitorEventLoopDelay();
  delay.enable();
  const before = process.cpuUsage();
  const begun = performance.now();
  await load;
  const tookMs = performance.now() - begun;
  delay.disable();
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: (tally.requests / tookMs) * 1_000,
    ownProcessor: (user + system) / 1_000 / tookMs,
    heldUpMs: [delay.percentile(99) / 1e6, delay.max / 1e6],
  };
}
