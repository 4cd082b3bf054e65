import { LRUCache } from 'lru-cache';
import type { BrokerFlow, Market } from '#quant/broker-rows/broker-flow.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadStockDay } from '#market-reader/read-stock-day.ts';
import type { ReadArrow } from '#market-reader/arrow-batch.ts';
import { orUnavailable } from '../store/clickhouse-unavailable.ts';
import type { LoadedDataset } from './loaded-dataset.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/** The requested rows. The response may contain more rows of the day. */
interface DayOfRows {
  /** Calendar index. */
  day: number;
  market: Market;
  /** Index of the only ticker; all tickers if absent. */
  ticker?: number;
}

export type BrokerRowsOfDay = (loaded: LoadedDataset, wanted: DayOfRows) => BrokerFlow | Promise<BrokerFlow>;

/** Runs a query like `ReadArrow`, but can be aborted. */
export type CancellableReadArrow = (
  ...query: [...Parameters<ReadArrow>, signal: AbortSignal]
) => ReturnType<ReadArrow>;

/** An entry takes some kilobytes, or a megabyte for the whole regular market. */
const MAX_KEPT = 50;
/** Each read takes up to two of the client's ten connections. */
const MAX_READING = 4;
/** About as many as can be read within the deadline. */
const MAX_WAITING = 100;
const DEADLINE_MS = 3_000;

/**
 * Broker rows of days that are not in memory, read on demand. The most recent results are cached, and requests for what
 * is already being read share that read.
 */
export class OlderBrokerDays {
  readonly #readArrow: CancellableReadArrow;
  readonly #reads: LimitedReads;
  /** Keyed by version and request. */
  readonly #kept = new LRUCache<string, BrokerFlow>({ max: MAX_KEPT });
  /** Running and waiting reads, by the same keys. A failed read does not evict cached results. */
  readonly #reading = new Map<string, Promise<BrokerFlow>>();

  constructor(readArrow: CancellableReadArrow, deadlineMs = DEADLINE_MS) {
    this.#readArrow = readArrow;
    this.#reads = new LimitedReads({ atOnce: MAX_READING, waiting: MAX_WAITING, deadlineMs });
  }

  /**
   * Returns the rows of a day, immediately if they are in memory or the dataset has none of that day.
   * @throws ServiceError data_unavailable when the store is unavailable or slow, or too many days are being read; the
   *   next call tries again
   */
  readonly rowsOfDay: BrokerRowsOfDay = (loaded, wanted) => {
    const { dataset, panel, brokerFlow } = loaded;
    const { day, market, ticker } = wanted;
    const date = panel.columns.dates[day]!;
    const isStored = date >= dataset.broker_first_date && date <= dataset.broker_last_date;
    if (brokerFlow.holds(day) || !isStored) return brokerFlow;
    const key = [dataset.version, date, market, ticker].join(' ');
    return this.#kept.get(key) ?? this.#reading.get(key) ?? this.#read(key, loaded, wanted);
  };

  #read(key: string, loaded: LoadedDataset, wanted: DayOfRows): Promise<BrokerFlow> {
    const { dataset, panel, brokerFlow } = loaded;
    const { day, market, ticker } = wanted;
    const { brokers } = brokerFlow.columns;
    const [version, segments] = [dataset.version, dataset.broker_segments];
    const read = (signal: AbortSignal) => {
      const readArrow: ReadArrow = (sql, params) => this.#readArrow(sql, params, signal);
      return ticker === undefined
        ? loadBrokerFlow(readArrow, { panel, version, segments, firstDay: day, lastDay: day, market })
        : loadStockDay(readArrow, { panel, segments, ticker, day, market, brokers });
    };
    const rows = this.#reads
      .run((signal) => orUnavailable(read(signal)))
      .then((flow) => {
        this.#kept.set(key, flow);
        return flow;
      })
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, rows);
    return rows;
  }
}

interface ReadLimits {
  atOnce: number;
  /** Reads that may wait for their turn. Further ones are refused. */
  waiting: number;
  /** Deadline from the request for a read to its end, including the wait. */
  deadlineMs: number;
}

/**
 * Limits concurrent reads; further ones wait in line. Without a limit, a burst would delay all reads and slow down
 * answers from memory.
 */
class LimitedReads {
  readonly #limits: ReadLimits;
  #running = 0;
  /** Functions that start the waiting reads, longest waiting first. */
  readonly #waiting = new Set<() => void>();

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /**
   * Runs a read when its turn comes. Its signal aborts at the deadline. Its slot is free once it has ended.
   * @throws ServiceError data_unavailable immediately when too many reads wait, and at the deadline
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
      // If several timers are due, the first may free a slot for a read that is itself overdue but whose timer has not
      // fired yet.
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
