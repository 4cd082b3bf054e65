import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { publishOnce } from '#platform/nats/publish-once.ts';
import { HEARTBEAT_MS, type RunListener } from '#shared/life-signs/run-life-signs.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { RunHeartbeat, RunStarted } from '#proto/saring/events/v1/runs.ts';
import { retryOnNats } from './failures/retry.ts';

interface RunClaimsDependencies {
  nats: Nats;
  listener: RunListener;
  workerId: string;
  log: Logger;
}

const PUBLISH_TIMEOUT_MS = 2_000;
const CLAIM_FOR_MS = 60_000;
/** Far more jobs than a worker gets back long after it ran them. */
const MAX_REMEMBERED = 10_000;
/**
 * A worker that is silent about its run for this long has lost it. `services/models/runs/interruptions.ts` interrupts its run when no
 * worker is left to notice.
 */
const SILENCE_MS = 8_000;

/**
 * Decides which worker runs a job: the one whose start event the stream accepts, once and for all. Later tells whether that
 * worker is still alive.
 */
export class RunClaims {
  readonly #deps: RunClaimsDependencies;
  /** Jobs that this worker has owned. It runs none of them again, also if the report of its end was lost. */
  readonly #owned = new Set<string>();

  constructor(deps: RunClaimsDependencies) {
    this.#deps = deps;
  }

  /** Whether this worker now owns the job and has not run it yet. */
  async claim(jobId: string, startedAt: Date, signal: AbortSignal): Promise<boolean> {
    const { nats, workerId, log } = this.#deps;
    if (this.#owned.has(jobId)) return false;
    const event = { job_id: jobId, worker_id: workerId, started_at: startedAt };
    const claim = {
      stream: 'RUN_EVENTS',
      subject: subjects.runStarted(jobId),
      message: RunStarted.encode(event).finish(),
      publisher: workerId,
      timeoutMs: PUBLISH_TIMEOUT_MS,
    };
    const isOurs = await retryOnNats('claiming a run', () => publishOnce(nats, claim), {
      forMs: CLAIM_FOR_MS,
      log,
      signal,
    });
    if (isOurs) this.#remember(jobId);
    return isOurs;
  }

  #remember(jobId: string): void {
    this.#owned.add(jobId);
    if (this.#owned.size > MAX_REMEMBERED) this.#owned.delete(this.#owned.values().next().value!);
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
