import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import { Worker } from 'node:worker_threads';

export interface MonthThreadData {
  clickhouseAt: ClickHouseAddress;
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

/** So many more rows are on their way to the store; or: the thread waits for a month, or for null, which ends it. */
export type FromThread = { more: number } | 'free';

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
  worker.on('message', (message: FromThread) => {
    if (message === 'free') worker.postMessage(tasks.next().value ?? null);
    else onRows(message.more);
  });
  let failure: unknown;
  worker.once('error', (error) => void (failure = error));
  worker.once('exit', (code) => {
    if (code === 0) resolve();
    else reject(failure ?? new Error(`a thread that generates broker rows ended with code ${code}`));
  });
  await ended;
}
