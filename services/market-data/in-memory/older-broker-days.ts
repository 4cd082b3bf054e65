import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import type { Market } from '#quant/broker-flow/flow-columns.ts';
import { loadBrokerFlow } from '#quant/broker-flow/flow-query.ts';
import type { ReadArrow } from '#quant/panel/panel-query.ts';
import { ServiceError } from '#shared/service-error.ts';
import { orUnavailable } from '../store/clickhouse-away.ts';
import type { LoadedDataset } from './dataset-in-use.ts';

/** Which rows are wanted; what comes may hold more of the day. */
export interface DayOfRows {
  /** Calendar index. */
  day: number;
  market: Market;
  /** Index of the only ticker; all of them when absent. */
  ticker?: number;
}

/** The broker rows of a day of a dataset. */
export type BrokerRowsOfDay = (loaded: LoadedDataset, wanted: DayOfRows) => BrokerFlow | Promise<BrokerFlow>;

/** One is some kilobytes, and of the whole regular market a megabyte. */
const MAX_KEPT = 50;
const DEADLINE_MS = 3_000;

/**
 * Broker rows of days before those in memory, read when they are asked for. The latest few readings are kept, and who
 * asks for what is being read waits for that reading.
 */
export class OlderBrokerDays {
  readonly #readArrow: ReadArrow;
  readonly #deadlineMs: number;
  /** By version and what was wanted; the least recently used first. */
  readonly #kept = new Map<string, Promise<BrokerFlow>>();

  constructor(readArrow: ReadArrow, deadlineMs = DEADLINE_MS) {
    this.#readArrow = readArrow;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * The rows of a day, at once when they are in memory or the dataset has none of it.
   * @throws ServiceError data_unavailable when the store is away or slow; the next call tries again
   */
  readonly rowsOfDay: BrokerRowsOfDay = (loaded, wanted) => {
    const { dataset, panel, brokerFlow } = loaded;
    const { day, market, ticker } = wanted;
    const date = panel.columns.dates[day]!;
    const isStored = date >= dataset.broker_first_date && date <= dataset.broker_last_date;
    if (brokerFlow.holds(day) || !isStored) return brokerFlow;
    const key = [dataset.version, date, market, ticker].join(' ');
    const rows = this.#kept.get(key) ?? this.#read(key, loaded, wanted);
    this.#kept.delete(key);
    this.#kept.set(key, rows);
    return rows;
  };

  #read(key: string, { dataset, panel }: LoadedDataset, wanted: DayOfRows): Promise<BrokerFlow> {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
    const { day, market, ticker } = wanted;
    const reading = loadBrokerFlow(this.#readArrow, {
      ...{ panel, version: dataset.version, segments: dataset.broker_segments },
      ...{ firstDay: day, lastDay: day, market, ticker },
    });
    const rows = withinDeadline(orUnavailable(reading), this.#deadlineMs);
    rows.catch(() => {
      if (this.#kept.get(key) === rows) this.#kept.delete(key);
    });
    return rows;
  }
}

async function withinDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const message = 'The broker rows of that day could not be read in time. Try again.';
  const timer = setTimeout(() => reject(new ServiceError('data_unavailable', message)), deadlineMs);
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
