import type { NatsConnection } from '@nats-io/transport-node';
import { RunHeartbeat } from '#proto/saring/events/v1/runs.ts';
import { subjects } from './subjects.ts';

/** How often a worker shows that a run is alive, and a listener that it can hear. */
export const HEARTBEAT_MS = 2_000;

/** A listener whose own voice did not come back for longer than this was deaf in between. */
export const MAX_GAP_MS = 2 * HEARTBEAT_MS;
/** What is remembered of a run that is no longer asked about. */
const FORGET_AFTER_MS = 10 * 60_000;

/**
 * Measures for how long a run has been silent, counting only time in which it would have been heard. A listener
 * publishes its own sign of life on the subject it listens to: while that one returns, NATS and this process work,
 * and a run that stays silent has no worker left. After any gap the count starts over, so that an outage of NATS or
 * a frozen listener never makes a healthy run look dead.
 *
 * Moments are milliseconds of a clock that only runs forward.
 */
export class RunLifeSigns {
  readonly #runs = new Map<string, { heardAt: number; askedAt: number }>();
  #listeningSince = 0;
  #echoAt: number | undefined;

  /** The listener's own sign of life came back. */
  heardEcho(nowMs: number): void {
    if (this.#echoAt === undefined || nowMs - this.#echoAt > MAX_GAP_MS) this.#listeningSince = nowMs;
    this.#echoAt = nowMs;
    for (const [jobId, { askedAt }] of this.#runs) {
      if (nowMs - askedAt > FORGET_AFTER_MS) this.#runs.delete(jobId);
    }
  }

  /** A worker said that it is running the job. */
  heardRun(jobId: string, nowMs: number): void {
    const run = this.#runs.get(jobId);
    if (run) run.heardAt = nowMs;
  }

  /** Silence since the run was last heard or first asked about; 0 while the listener may be deaf. */
  silentForMs(jobId: string, nowMs: number): number {
    const run = this.#runs.get(jobId) ?? { heardAt: nowMs, askedAt: nowMs };
    run.askedAt = nowMs;
    this.#runs.set(jobId, run);
    if (this.#echoAt === undefined || nowMs - this.#echoAt > MAX_GAP_MS) return 0;
    return Math.max(0, this.#echoAt - Math.max(this.#listeningSince, run.heardAt));
  }
}

export interface RunListener {
  /** How long the run has been silent while it would have been heard; see RunLifeSigns. */
  silentForMs: (jobId: string) => number;
  stop: () => void;
}

/** Listens to the heartbeats of runs. `listenerId` must be this process's alone. */
export function listenForRuns(connection: NatsConnection, listenerId: string): RunListener {
  const signs = new RunLifeSigns();
  const subscription = connection.subscribe(subjects.runHeartbeats, {
    callback: (error, message) => {
      if (error) return;
      const { worker_id, job_ids } = RunHeartbeat.decode(message.data);
      if (worker_id === listenerId) signs.heardEcho(performance.now());
      for (const jobId of job_ids) signs.heardRun(jobId, performance.now());
    },
  });
  const echo = RunHeartbeat.encode({ worker_id: listenerId, job_ids: [] }).finish();
  const speak = () => connection.publish(subjects.runHeartbeats, echo);
  speak();
  const timer = setInterval(speak, HEARTBEAT_MS / 2);
  return {
    silentForMs: (jobId) => signs.silentForMs(jobId, performance.now()),
    stop: () => {
      clearInterval(timer);
      subscription.unsubscribe();
    },
  };
}
