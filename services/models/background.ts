import { randomUUID } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import type { Logger } from '#shared/logger.ts';
import type { Nats } from '#shared/nats/connection.ts';
import { listenForRuns } from '#shared/nats/listen-for-runs.ts';
import { repeat } from '#shared/repeat.ts';
import type { Cancellations } from './cancellations.ts';
import { Interruptions } from './interruptions.ts';
import { RunEvents } from './run-events.ts';
import type { RunRequests } from './run-requests.ts';
import type { RunWatchers } from './run-watchers.ts';
import type { IdempotencyKeys } from './store/idempotency-keys.ts';
import type { RunStore } from './store/run-store.ts';
import { Sweeper } from './sweeper.ts';
import type { UsageRecords } from './usage-records.ts';

export interface BackgroundDependencies {
  nats: Nats;
  store: RunStore;
  keys: IdempotencyKeys;
  cancellations: Cancellations;
  requests: RunRequests;
  usage: UsageRecords;
  watchers: RunWatchers;
  clock: Clock;
  log: Logger;
  retentionDays: number;
  tellPauseMs?: number;
}

const LOOK_PAUSE_MS = 1_000;
const TELL_PAUSE_MS = 1_000;
const SWEEP_PAUSE_MS = 2_000;
const PURGE_PAUSE_MS = 600_000;

/** Everything the service does without being asked. Returns how to stop it, which waits for what is under way. */
export function startBackground(deps: BackgroundDependencies): () => Promise<void> {
  const { nats, cancellations, log, tellPauseMs = TELL_PAUSE_MS } = deps;
  const listener = listenForRuns(nats.connection, `models_${randomUUID()}`);
  const interruptions = new Interruptions({ ...deps, listener, jsm: nats.jsm });
  const sweeper = new Sweeper(deps);
  const stopping = new AbortController();
  const following = new RunEvents(deps).follow(nats, stopping.signal);
  const stops = [
    repeat('looking for interrupted runs', LOOK_PAUSE_MS, () => interruptions.look(), log),
    repeat('telling workers of cancellations', tellPauseMs, () => cancellations.tellWorkers(), log),
    repeat('publishing what was left', SWEEP_PAUSE_MS, () => sweeper.sweep(), log),
    repeat('removing old runs', PURGE_PAUSE_MS, () => sweeper.purge(stopping.signal), log),
  ];
  return async () => {
    stopping.abort();
    await Promise.all([following, ...stops.map((stop) => stop())]);
    listener.stop();
  };
}
