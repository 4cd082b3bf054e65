import { ServiceError } from '#shared/service-error.ts';

interface ReadLimits {
  /** Reads running at a time. */
  atOnce: number;
  /** Reads waiting for their turn; further ones are refused. */
  waiting: number;
  /** From the request for a read to its end, waiting included. */
  deadlineMs: number;
}

/**
 * Reads of which a few run at a time and the others wait in line. Without a bound a burst makes all of them late and
 * slows what is answered from memory.
 */
export class LimitedReads {
  readonly #limits: ReadLimits;
  #running = 0;
  /** What begins each, the longest waiting first. */
  readonly #waiting = new Set<() => void>();

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a read when its turn comes. Its signal aborts at the deadline, and its place is free once it has ended.
   * @throws ServiceError data_unavailable at once when too many wait, and at the deadline
   */
  run<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { atOnce, waiting, deadlineMs } = this.#limits;
    if (this.#running >= atOnce && this.#waiting.size >= waiting) return Promise.reject(tooMany());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const deadline = new AbortController();
    const dueMs = performance.now() + deadlineMs;
    const giveUp = () => {
      const error = overdue();
      this.#waiting.delete(begin);
      reject(error);
      deadline.abort(error);
    };
    const timer = setTimeout(giveUp, deadlineMs);
    const begin = () => {
      // Of timers due together one that fires first may free a place for a read whose own is still to fire.
      if (performance.now() >= dueMs) return giveUp();
      this.#running++;
      void read(deadline.signal)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          this.#running--;
          this.#beginNext();
        });
    };
    this.#waiting.add(begin);
    this.#beginNext();
    return promise;
  }

  #beginNext(): void {
    for (const begin of this.#waiting) {
      if (this.#running >= this.#limits.atOnce) return;
      this.#waiting.delete(begin);
      begin();
    }
  }
}

function tooMany(): ServiceError {
  return new ServiceError('data_unavailable', 'Too many older days are being read. Try again.');
}

function overdue(): ServiceError {
  return new ServiceError(
    'data_unavailable',
    'The broker rows of that day could not be read in time. Try again.',
  );
}
