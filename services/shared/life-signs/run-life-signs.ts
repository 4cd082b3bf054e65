import type { NatsConnection } from '@nats-io/transport-node';
import { RunHeartbeat } from '#proto/saring/events/v1/runs.ts';
import { subjects } from '#platform/nats/subjects.ts';

/** How often a worker publishes that a run is alive, and a listener tests that it can hear. */
export const HEARTBEAT_MS = 2_000;

/** A listener that did not hear its own echo for longer than this could not hear runs either. */
export const MAX_GAP_MS = 2 * HEARTBEAT_MS;
/** How long a run is remembered after it was last asked about. */
const FORGET_AFTER_MS = 10 * 60_000;

/**
 * Measures for how long a run has been silent, counting only time in which the listener would have heard it. The listener
 * publishes its own heartbeat on the subject it listens to. While it hears this echo, NATS and this process work, so a run that
 * stays silent has no worker left. After any gap in the echo the count starts again, so that an outage of NATS or a frozen
 * listener never makes a healthy run look dead.
 *
 * Times are milliseconds of a monotonic clock.
 */
export class RunLifeSigns {
  readonly #runs = new Map<string, { heardAt: number; requestedAt: number }>();
  #listeningSince = 0;
  #echoAt: number | undefined;

  /** Called when the listener's own heartbeat comes back. */
  heardEcho(nowMs: number): void {
    if (this.#echoAt === undefined || nowMs - this.#echoAt > MAX_GAP_MS) this.#listeningSince = nowMs;
    this.#echoAt = nowMs;
    for (const [jobId, { requestedAt }] of this.#runs) {
      if (nowMs - requestedAt > FORGET_AFTER_MS) this.#runs.delete(jobId);
    }
  }

  /** Called when a worker reports that it is running the job. */
  heardRun(jobId: string, nowMs: number): void {
    const run = this.#runs.get(jobId);
    if (run) run.heardAt = nowMs;
  }

  /** Silence since the run was last heard or first asked about; 0 while the listener does not hear its own echo. */
  silentForMs(jobId: string, nowMs: number): number {
    const run = this.#runs.get(jobId) ?? { heardAt: nowMs, requestedAt: nowMs };
    run.requestedAt = nowMs;
    this.#runs.set(jobId, run);
    if (this.#echoAt === undefined || nowMs - this.#echoAt > MAX_GAP_MS) return 0;
    return Math.max(0, this.#echoAt - Math.max(this.#listeningSince, run.heardAt));
  }
}

export interface RunListener {
  /** How long the run has been silent, in milliseconds; see RunLifeSigns. */
  silentForMs: (jobId: string) => number;
  stop: () => void;
}

/** Listens to the heartbeats of runs. `listenerId` must be unique to this process. */
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
