import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import { repeat } from '#shared/repeat.ts';
import type { LedgerCeiling } from './store/ledger-ceiling.ts';

const LOOK_PAUSE_MS = 60_000;
/** Between two steps, in which ClickHouse serves readers and the sink. */
const STEP_PAUSE_MS = 250;

/** Keeps the ledger under its ceiling, beginning at once. Returns how to stop it. */
export function keepUnderCeiling(ceiling: LedgerCeiling, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lower = async () => {
    while (!signal.aborted && (await ceiling.step(signal))) {
      await sleep(STEP_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  };
  const stop = repeat('removing usage beyond the ceiling', LOOK_PAUSE_MS, lower, log);
  return () => {
    stopping.abort();
    return stop();
  };
}
