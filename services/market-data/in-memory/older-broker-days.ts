import type { BrokerFlow, Market } from '#quant/broker-rows/broker-flow.ts';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadStockDay } from '#market-reader/read-stock-day.ts';
import type { ReadArrow } from '#market-reader/read-panel.ts';
import { orUnavailable } from '../store/clickhouse-away.ts';
import { LimitedReads } from './limited-reads.ts';
import type { LoadedDataset } from './loaded-dataset.ts';

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
