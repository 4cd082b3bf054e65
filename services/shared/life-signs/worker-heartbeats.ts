import type { NatsConnection } from '@nats-io/transport-node';
import { WorkerHeartbeat } from '#proto/saring/events/v1/workers.ts';
import { subjects } from '#platform/nats/subjects.ts';

/**
 * How long runs with the defaults use the previous version while workers read and learn a new one. On the real market this takes
 * ten to fifteen seconds.
 */
export const PREPARE_WITHIN_MS = 30_000;
const HEARTBEAT_MS = 1_000;
/** A worker that has been silent for this long is gone, or stuck. */
const SILENCE_MS = 3_500;

/** Publishes what a worker has prepared: now, every second, and whenever `beat` is called. */
export function startHeartbeat(
  connection: NatsConnection,
  { workerId, runsAtOnce }: { workerId: string; runsAtOnce: number },
  preparedVersion: () => string | undefined,
): { beat: () => void; stop: () => void } {
  const beat = () => {
    const heartbeat = {
      worker_id: workerId,
      prepared_version: preparedVersion() ?? '',
      runs_at_once: runsAtOnce,
    };
    if (!connection.isClosed())
      connection.publish(subjects.workerHeartbeats, WorkerHeartbeat.encode(heartbeat).finish());
  };
  beat();
  const timer = setInterval(beat, HEARTBEAT_MS);
  return { beat, stop: () => clearInterval(timer) };
}

interface HeardWorker {
  version: string;
  runsAtOnce: number;
  heardAt: number;
}

/** Knows from their heartbeats which workers are alive, and on which dataset version each is prepared. */
export class WorkerHeartbeats {
  readonly #workers = new Map<string, HeardWorker>();
  readonly #awaitingChange = new Set<() => void>();

  /** Listens from now on, for as long as the connection lives. */
  listenOn(connection: NatsConnection): void {
    connection.subscribe(subjects.workerHeartbeats, {
      callback: (error, message) => {
        if (error) return;
        const heard = WorkerHeartbeat.decode(message.data);
        const { worker_id, prepared_version: version, runs_at_once: runsAtOnce } = heard;
        this.#workers.set(worker_id, { version, runsAtOnce, heardAt: performance.now() });
        for (const check of this.#awaitingChange) check();
      },
    });
  }

  /** How many runs all living workers run at once; 0 while none is heard. */
  get runsAtOnce(): number {
    return this.#alive().reduce((sum, worker) => sum + worker.runsAtOnce, 0);
  }

  isAnyPrepared(version: string): boolean {
    return this.#alive().some((worker) => worker.version === version);
  }

  /**
   * Resolves when no living worker uses what it has prepared on another version, and at the latest after `ms`. Workers that have
   * prepared nothing yet, as after a start, are not waited for.
   */
  async untilPrepared(version: string, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => this.#alive().every((worker) => ['', version].includes(worker.version)) && resolve();
    const [deadline, silence] = [setTimeout(resolve, ms), setInterval(check, HEARTBEAT_MS)];
    this.#awaitingChange.add(check);
    check();
    await promise;
    this.#awaitingChange.delete(check);
    clearTimeout(deadline);
    clearInterval(silence);
  }

  #alive(): HeardWorker[] {
    for (const [id, { heardAt }] of this.#workers)
      if (performance.now() - heardAt > SILENCE_MS) this.#workers.delete(id);
    return [...this.#workers.values()];
  }
}
