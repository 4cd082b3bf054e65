import { Worker } from 'node:worker_threads';
import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { describeSegments, type StoredBrokerRows } from '../broker/broker-segments.ts';
import { segmentName } from '../staging/stored-names.ts';
import type { Progress } from '../request/progress.ts';

const WORKER = new URL('./month-worker.ts', import.meta.url);
/** More threads gain nothing, because the store needs processors too. */
const THREADS = 2;

interface SynthesisToRun {
  /** Its bars and its broker table are already stored; it is not published yet. */
  version: string;
  seed: number;
  /** Months `YYYY-MM` to generate; all months of the version if absent. */
  months?: readonly string[];
  /** Segments of another version to keep, for months that are not generated. */
  keptSegments?: readonly string[];
}

export type SynthesizeBrokerRows = (
  wanted: SynthesisToRun,
  progress: Progress,
  signal: AbortSignal,
) => Promise<StoredBrokerRows>;

/**
 * Generates broker rows that add up to the bars of a version, and stores one segment per month. Worker threads do the
 * work; they have ended when the promise settles, even after a failure or when `signal` aborts. Rows stored until then
 * are removed with the version, which is not published.
 */
export function brokerSynthesis(
  clickhouseAt: ClickHouseAddress,
  client: ClickHouseClient,
): SynthesizeBrokerRows {
  return async ({ version, seed, months, keptSegments = [] }, progress, signal) => {
    progress.step = 'generating broker rows';
    progress.rowsRead = 0;
    const tasks = (months ?? (await monthsOf(client, version))).map((month) => ({
      month,
      segment: segmentName(month, version),
    }));
    const count = (more: number) => void (progress.rowsRead += more);
    await runMonthThreads(tasks, { clickhouseAt, version, seed }, count, signal);
    const segments = [...keptSegments, ...tasks.map(({ segment }) => segment)];
    return { broker_data: 'synthetic', broker_seed: seed, ...(await describeSegments(client, segments)) };
  };
}

async function monthsOf(client: ClickHouseClient, version: string): Promise<string[]> {
  const query = `SELECT DISTINCT formatDateTime(date, '%Y-%m') AS month FROM market.daily_bar
    WHERE dataset_version = {version:String} ORDER BY month`;
  const found = await clickhouseRows<{ month: string }>(client, query, { version });
  return found.map(({ month }) => month);
}

export interface MonthThreadData {
  clickhouseAt: ClickHouseAddress;
  version: string;
  seed: number;
  /** One number in shared memory. Any value except 0 makes a thread stop in the middle of a month. */
  stopped: Int32Array;
}

export interface MonthTask {
  /** `YYYY-MM`. */
  month: string;
  segment: string;
}

/**
 * Either the number of rows just sent to the store, or a request for the next month. The response null ends the thread.
 */
export type FromThread = { more: number } | 'free';

/**
 * Generates and stores months in worker threads; each thread takes the next month when it is free. Settles when every
 * thread has ended. Rejects if one of them failed or `signal` was aborted.
 */
async function runMonthThreads(
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
