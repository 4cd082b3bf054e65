import { Worker } from 'node:worker_threads';

export interface MonthThreadData {
  clickhouseUrl: string;
  version: string;
  seed: number;
  /** One number in shared memory; anything but 0 ends a month half-way. */
  stopped: Int32Array;
}

export interface MonthTask {
  /** `YYYY-MM`. */
  month: string;
  segment: string;
}

/** More rows are on their way to the store. */
export interface RowsMade {
  more: number;
}

/** A month is stored, '' when the thread has come up; the thread waits for the next one, or for null. */
export interface MonthDone {
  month: string;
  rows: number;
}

const WORKER = new URL('./month-worker.ts', import.meta.url);
/** The store needs processors too, and gains nothing from more. */
const THREADS = 2;

/**
 * Generates and stores months in threads of their own, each whenever one is free. Ends when every thread has ended,
 * whatever happened; it has failed then if any of them did, or `signal` was aborted.
 */
export async function runMonthThreads(
  tasks: readonly MonthTask[],
  data: Omit<MonthThreadData, 'stopped'>,
  onRows: (more: number) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const stop = () => void Atomics.store(stopped, 0, 1);
  signal.addEventListener('abort', stop);
  const left = tasks.values();
  const threads = Array.from({ length: Math.min(THREADS, tasks.length) }, () =>
    runThread({ ...data, stopped }, left, onRows).catch((error: unknown) => {
      stop();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(threads)).find((thread) => thread.status === 'rejected');
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (failed) throw failed.reason;
}

async function runThread(
  data: MonthThreadData,
  tasks: Iterator<MonthTask>,
  onRows: (more: number) => void,
): Promise<void> {
  const worker = new Worker(WORKER, { workerData: data, name: 'broker rows' });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', (message: MonthDone | RowsMade) => {
    if ('more' in message) return onRows(message.more);
    worker.postMessage(tasks.next().value ?? null);
  });
  worker.once('error', reject);
  worker.once('exit', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`a thread that generates broker rows ended with code ${code}`));
  });
  await ended;
}
