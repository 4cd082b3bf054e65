import type { Logger } from '#shared/logger.ts';
import { isAlreadyPublished } from '#shared/nats/already-published.ts';
import type { Nats } from '#shared/nats/connection.ts';
import { HEARTBEAT_MS, type RunListener } from '#shared/nats/run-life-signs.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { RunHeartbeat, RunStarted } from '#proto/saring/events/v1/runs.ts';
import { persistOnNats } from './persist.ts';

interface RunClaimsDependencies {
  nats: Nats;
  listener: RunListener;
  workerId: string;
  log: Logger;
}

const PUBLISH_TIMEOUT_MS = 2_000;
const CLAIM_FOR_MS = 60_000;
/** A worker that is silent about its run for this long has lost it. */
const SILENCE_MS = 8_000;

/**
 * Decides which worker runs a job: the one whose start event the stream accepts, once and for all. Later tells whether that
 * worker is still alive.
 */
export class RunClaims {
  readonly #deps: RunClaimsDependencies;

  constructor(deps: RunClaimsDependencies) {
    this.#deps = deps;
  }

  /** Whether this worker now owns the job. The message id makes a retry after a lost answer count as the same claim. */
  async claim(jobId: string, startedAt: Date, signal: AbortSignal): Promise<boolean> {
    const { nats, workerId, log } = this.#deps;
    const event = { job_id: jobId, worker_id: workerId, started_at: startedAt };
    const options = {
      msgID: `${jobId}.started.${workerId}`,
      expect: { lastSubjectSequence: 0 },
      timeout: PUBLISH_TIMEOUT_MS,
    };
    const publish = () =>
      nats.js.publish(subjects.runStarted(jobId), RunStarted.encode(event).finish(), options);
    try {
      await persistOnNats('claiming a run', publish, { forMs: CLAIM_FOR_MS, log, signal });
      return true;
    } catch (error) {
      if (isAlreadyPublished(error)) return false;
      throw error;
    }
  }

  /**
   * Sends heartbeats for a job until the returned function is called. Call only once this worker owns the job: a heartbeat for
   * a dead worker's job would hide that worker's death.
   */
  beatFor(jobId: string): () => void {
    const { nats, workerId } = this.#deps;
    const message = RunHeartbeat.encode({ worker_id: workerId, job_ids: [jobId] }).finish();
    const beat = () => {
      if (!nats.connection.isClosed()) nats.connection.publish(subjects.runHeartbeats, message);
    };
    beat();
    const timer = setInterval(beat, HEARTBEAT_MS);
    return () => clearInterval(timer);
  }

  /** The state of another worker's job; `unknown` until the worker has finished or has been silent long enough. */
  async otherWorkersRun(jobId: string): Promise<'finished' | 'lost' | 'unknown'> {
    const { nats, listener } = this.#deps;
    const last_by_subj = subjects.runFinished(jobId);
    if (await nats.jsm.streams.getMessage('RUN_EVENTS', { last_by_subj })) return 'finished';
    return listener.silentForMs(jobId) >= SILENCE_MS ? 'lost' : 'unknown';
  }
}
