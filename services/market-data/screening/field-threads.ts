import { Piscina } from 'piscina';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { CallCost } from '#platform/grpc/call-cost.ts';
import { FairTurns } from './fair-turns.ts';
import type { ThreadMarket } from './field-tasks.ts';
import type * as work from './field-worker.ts';

const WORKER = new URL('./field-worker.ts', import.meta.url).href;
export const THREADS = 2;
/** A thread that has had nothing to do for this long ends, and its memory is free. */
const IDLE_MS = 30_000;
/** Of a key: a saturated machine answers that it is busy, instead of making callers wait beyond their deadlines. */
const MAX_WAITING = 1_000;
/** The limit for work that hangs. The longest work, the fields of brokers on a busy machine, takes seconds. */
const DEADLINE_MS = 60_000;
/** Work that is expected to take longer waits for its turn, and never has all threads. */
const SHORT_MS = 20;

/** Of work for which somebody always waits. */
export const NEVER = new AbortController().signal;

type Work = typeof work;
type Task<Name extends keyof Work> = Omit<Parameters<Work[Name]>[0], 'isUnwanted'>;

/** For whom something is done. */
export interface Caller {
  /** Aborts once nobody waits for it any more. */
  signal: AbortSignal;
  /** The key that shares the threads with others; what the service does of its own accord counts as one. */
  apiKeyId?: string | undefined;
  /** Charged before work begins, if somebody pays. */
  cost?: CallCost | undefined;
}

/** Whoever waits for a piece of work that several callers share. Once all of them have left, it is unwanted. */
export class Interest {
  readonly #unwanted = new AbortController();
  readonly #over = new AbortController();
  #callers = 0;

  /** Aborts once all have left before the end. */
  get unwanted(): AbortSignal {
    return this.#unwanted.signal;
  }

  /** Nobody gives up what has ended. */
  endsWith(work: Promise<unknown>): void {
    const end = () => this.#over.abort();
    work.then(end, end);
  }

  /** @param caller aborts when this caller leaves */
  add(caller: AbortSignal): void {
    this.#callers++;
    if (caller.aborted) return this.#remove();
    caller.addEventListener('abort', () => this.#remove(), { once: true, signal: this.#over.signal });
  }

  #remove(): void {
    this.#callers--;
    if (this.#callers === 0) this.#unwanted.abort();
  }
}

/** Threads that compute the fields of one market and evaluate rules on them, so that requests for market data never wait. */
export class FieldThreads {
  readonly #pool: Piscina;
  readonly #turns = new FairTurns(THREADS, MAX_WAITING);
  /** Of work that is not short. */
  readonly #longTurns = new FairTurns(THREADS - 1, MAX_WAITING);

  constructor(market: ThreadMarket) {
    this.#pool = new Piscina({
      filename: WORKER,
      workerData: market,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      // Nothing that it has is under way for longer.
      closeTimeout: 2 * DEADLINE_MS,
    });
  }

  /**
   * @param costMs how long the work is expected to take on a quiet machine
   * @throws ServiceError data_unavailable when a thread could not do its work, or not in time, or the caller has left before its end
   */
  async run<Name extends keyof Work>(
    name: Name,
    task: Task<Name>,
    { signal, apiKeyId = '' }: Caller,
    costMs = 0,
  ): Promise<Awaited<ReturnType<Work[Name]>>> {
    const work = () => this.#turns.take(apiKeyId, signal, () => this.#onThread(name, task, signal));
    try {
      return await (costMs <= SHORT_MS ? work() : this.#longTurns.take(apiKeyId, signal, work));
    } catch (cause) {
      const message = 'The screen could not be evaluated. Try again in a moment.';
      throw new ServiceError('data_unavailable', message, { cause });
    }
  }

  /** Ends the threads once the work that they have is done. */
  close(): void {
    void this.#pool.close();
  }

  /** A thread is told that nobody waits any more by a flag that it reads: to end it would cost what it has read. */
  async #onThread<Name extends keyof Work>(
    name: Name,
    task: Task<Name>,
    caller: AbortSignal,
  ): Promise<Awaited<ReturnType<Work[Name]>>> {
    caller.throwIfAborted();
    const isUnwanted = new Uint8Array(new SharedArrayBuffer(1));
    const leave = () => Atomics.store(isUnwanted, 0, 1);
    caller.addEventListener('abort', leave);
    try {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      return (await this.#pool.run({ ...task, isUnwanted }, { name, signal })) as Awaited<
        ReturnType<Work[Name]>
      >;
    } finally {
      caller.removeEventListener('abort', leave);
    }
  }
}
