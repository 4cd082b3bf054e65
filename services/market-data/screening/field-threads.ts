import { Piscina } from 'piscina';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { ThreadMarket } from './field-tasks.ts';
import type * as work from './field-worker.ts';

const WORKER = new URL('./field-worker.ts', import.meta.url).href;
export const THREADS = 2;
/** A thread that has had nothing to do for this long ends, and its memory is free. */
const IDLE_MS = 30_000;
/** A saturated machine answers that it is busy, instead of making callers wait beyond their deadlines. */
const MAX_WAITING = 1_000;
/** The limit for work that hangs. The longest work, the fields of brokers on a busy machine, takes seconds. */
const DEADLINE_MS = 60_000;

type Work = typeof work;

/** Threads that compute the fields of one market and evaluate rules on them, so that requests for market data never wait. */
export class FieldThreads {
  readonly #pool: Piscina;

  constructor(market: ThreadMarket) {
    this.#pool = new Piscina({
      filename: WORKER,
      workerData: market,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      maxQueue: MAX_WAITING,
    });
  }

  /**
   * @param givenUp takes the work from the queue, or ends the thread that is at it
   * @throws ServiceError data_unavailable when a thread could not do its work, or not in time
   */
  async run<Name extends keyof Work>(
    name: Name,
    task: Parameters<Work[Name]>[0],
    givenUp?: AbortSignal,
  ): Promise<Awaited<ReturnType<Work[Name]>>> {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const signal = givenUp ? AbortSignal.any([deadline, givenUp]) : deadline;
    try {
      return (await this.#pool.run(task, { name, signal })) as Awaited<ReturnType<Work[Name]>>;
    } catch (cause) {
      const message = 'The screen could not be evaluated. Try again in a moment.';
      throw new ServiceError('data_unavailable', message, { cause });
    }
  }

  /** Ends the threads once the work that they have is done. */
  close(): void {
    void this.#pool.close();
  }
}
