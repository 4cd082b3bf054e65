import type { NatsConnection } from '@nats-io/transport-node';
import { RunHeartbeat } from '#proto/saring/events/v1/runs.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { HEARTBEAT_MS } from '#shared/life-signs/run-life-signs.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { repeat } from '#platform/process/repeat.ts';
import { isWorkerId, RUN_PARTS, type RunPart } from '#shared/runs/run-parts.ts';
import type { NatsPresence } from '#platform/nats/nats-presence.ts';
import type { RunRequests } from '../runs/run-requests.ts';
import type { RunStore } from '../store/run-store.ts';
import { inTime } from '#platform/process/waiting.ts';

/** Workers send a heartbeat at least this often. One or two heartbeats may be late. */
const SILENCE_MS = 3 * HEARTBEAT_MS;

/** When a heartbeat was last received from any worker, and from a worker with a running job. */
class WorkerSigns {
  #heardAtMs = -Infinity;
  #heardRunningAtMs = performance.now();
  readonly stop: () => void;

  constructor(connection: NatsConnection) {
    const subscription = connection.subscribe(subjects.runHeartbeats, {
      callback: (error, message) => {
        if (!error) this.#hear(RunHeartbeat.decode(message.data));
      },
    });
    this.stop = () => subscription.unsubscribe();
  }

  get areHeard(): boolean {
    return performance.now() - this.#heardAtMs < SILENCE_MS;
  }

  /** The time since the last heartbeat with a running job, or since this process started. */
  get idleForMs(): number {
    return performance.now() - this.#heardRunningAtMs;
  }

  #hear({ worker_id, job_ids }: RunHeartbeat): void {
    if (!isWorkerId(worker_id)) return;
    this.#heardAtMs = performance.now();
    if (job_ids.length > 0) this.#heardRunningAtMs = this.#heardAtMs;
  }
}

interface RunHealthDependencies {
  nats: Nats;
  presence: NatsPresence;
  store: RunStore;
  requests: RunRequests;
  log: Logger;
  /** Called at the start and on every change. */
  report: (part: RunPart, isUp: boolean) => void;
}

/** Every check runs once per pause: one small write to each store, and one query for waiting runs. */
const PAUSE_MS = 4_000;
/** A part whose check takes longer counts as down. */
const CHECK_WITHIN_MS = 2_000;
/** Runs are stuck if one has waited this long while no worker ran anything. */
const STALLED_AFTER_MS = 60_000;
/** Larger than a block of any file system, so that it does not fit on a full disk. */
const PROBE_BYTES = 8 * 1024;

/** Checks regularly whether a run could complete. Returns a function that stops it. */
export function watchRunHealth(deps: RunHealthDependencies): () => Promise<void> {
  const { nats, store, requests, presence, log, report } = deps;
  const workers = new WorkerSigns(nats.connection);
  const payload = new Uint8Array(PROBE_BYTES);
  const checks: Record<RunPart, () => Promise<boolean>> = {
    storage: async () => {
      await store.write();
      return !store.hasRefusedOfLate;
    },
    queue: async () => {
      if (!presence.isHere || requests.hasFailedOfLate) return false;
      await nats.js.publish(subjects.storageProbe('models'), payload, { timeout: CHECK_WITHIN_MS });
      return true;
    },
    workers: async () => {
      if (!workers.areHeard) return false;
      const isIdle = workers.idleForMs > STALLED_AFTER_MS;
      return !isIdle || !(await store.hasWaiting(new Date(Date.now() - STALLED_AFTER_MS)));
    },
  };
  const states = new Map<RunPart, boolean>();
  const check = async (part: RunPart) => {
    const isUp = await inTime(checks[part](), CHECK_WITHIN_MS).catch(() => false);
    if (states.get(part) === isUp) return;
    if (!isUp) log.warn({ part }, 'no run can complete without this part, which is down');
    else if (states.has(part)) log.info({ part }, 'this part of runs is up again');
    states.set(part, isUp);
    report(part, isUp);
  };
  const round = () => Promise.all(RUN_PARTS.map(check));
  const stop = repeat('checking whether runs can complete', PAUSE_MS, round, log);
  return async () => {
    await stop();
    workers.stop();
  };
}
