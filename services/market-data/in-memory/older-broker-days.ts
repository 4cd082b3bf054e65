import type { BrokerFlow, Market } from '#quant/broker-rows/broker-flow.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadStockDay } from '#market-reader/read-stock-day.ts';
import type { ReadArrow } from '#market-reader/read-panel.ts';
import { orUnavailable } from '../store/clickhouse-away.ts';
import type { LoadedDataset } from './loaded-dataset.ts';
import { ServiceError } from '#shared/service-error.ts';

/** Which rows are wanted; what comes may hold more of the day. */
interface DayOfRows {
  /** Calendar index. */
  day: number;
  market: Market;
  /** Index of the only ticker; all of them when absent. */
  ticker?: number;
}

/** The broker rows of a day of a dataset. */
export type BrokerRowsOfDay = (loaded: LoadedDataset, wanted: DayOfRows) => BrokerFlow | Promise<BrokerFlow>;

/** Runs a query as `ReadArrow` does, until the signal aborts. */
export type CancellableReadArrow = (
  ...query: [...Parameters<ReadArrow>, signal: AbortSignal]
) => ReturnType<ReadArrow>;

/** One is some kilobytes, and of the whole regular market a megabyte. */
const MAX_KEPT = 50;
/** Each takes up to two of the client's ten connections. */
const MAX_READING = 4;
/** About as many as are read within the deadline. */
const MAX_WAITING = 100;
const DEADLINE_MS = 3_000;

/**
 * Broker rows of days before those in memory, read when they are asked for. The latest few readings are kept, and who
 * asks for what is being read waits for that reading.
 */
export class OlderBrokerDays {
  readonly #readArrow: CancellableReadArrow;
  readonly #reads: LimitedReads;
  /** By version and what was wanted; the least recently used first. */
  readonly #kept = new Map<string, BrokerFlow>();
  /** What is being read or waits to be, by the same keys. A failed reading takes nothing from those that are kept. */
  readonly #reading = new Map<string, Promise<BrokerFlow>>();

  constructor(readArrow: CancellableReadArrow, deadlineMs = DEADLINE_MS) {
    this.#readArrow = readArrow;
    this.#reads = new LimitedReads({ atOnce: MAX_READING, waiting: MAX_WAITING, deadlineMs });
  }

  /**
   * The rows of a day, at once when they are in memory or the dataset has none of it.
   * @throws ServiceError data_unavailable when the store is away or slow, or too many days are being read; the next
   *   call tries again
   */
  readonly rowsOfDay: BrokerRowsOfDay = (loaded, wanted) => {
    const { dataset, panel, brokerFlow } = loaded;
    const { day, market, ticker } = wanted;
    const date = panel.columns.dates[day]!;
    const isStored = date >= dataset.broker_first_date && date <= dataset.broker_last_date;
    if (brokerFlow.holds(day) || !isStored) return brokerFlow;
    const key = [dataset.version, date, market, ticker].join(' ');
    const kept = this.#kept.get(key);
    if (!kept) return this.#reading.get(key) ?? this.#read(key, loaded, wanted);
    this.#keep(key, kept);
    return kept;
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
      .then((flow) => this.#keep(key, flow))
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, rows);
    return rows;
  }

  #keep(key: string, flow: BrokerFlow): BrokerFlow {
    this.#kept.delete(key);
    this.#kept.set(key, flow);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return flow;
  }
}

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
class LimitedReads {
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
