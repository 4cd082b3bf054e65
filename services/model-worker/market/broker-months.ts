import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { loadBrokerClasses, loadBrokerMonth, type BrokerClasses } from '#market-reader/read-broker-month.ts';
import type { ReadArrow } from '#market-reader/arrow-batch.ts';
import type { ComputedCache } from '../cache/computed-cache.ts';
import { nameOf, segmentOf, type NamedMonths } from './named-months.ts';

interface BrokerRowsOf {
  panel: Panel;
  version: string;
  /** `YYYY-MM.…`, one per calendar month. */
  segments: readonly string[];
}

/** Number of segments read at the same time: while this thread takes in one, ClickHouse works on the other. */
const AT_ONCE = 2;

/**
 * Summaries of the broker rows of a dataset version, month by month. A month is read when a run first needs it: those of a run
 * that trains with the defaults take 57 MB, and those of one whose model is there already 10 MB.
 */
export class BrokerMonths {
  readonly #readArrow: ReadArrow;
  readonly #cache: ComputedCache | undefined;
  readonly #rows: BrokerRowsOf;
  /** Named as in NamedMonths, also those that are being read. */
  readonly #kept: Map<string, Promise<BrokerMonth>>;
  readonly #read = new Map<string, BrokerMonth>();
  #classes: Promise<BrokerClasses> | undefined;

  /** @param before summaries of the previous version, most of whose segments this version shares */
  constructor(readArrow: ReadArrow, rows: BrokerRowsOf, cache?: ComputedCache, before?: BrokerMonths) {
    this.#readArrow = readArrow;
    this.#cache = cache;
    this.#rows = rows;
    const months = before ? [...before.#kept] : [];
    this.#kept = new Map(months.filter(([name]) => this.#hasSegmentOf(name)));
    if (before) this.keep(before.#read);
  }

  /** The months that have been read, also by readers of other versions. */
  get read(): NamedMonths {
    return this.#read;
  }

  /** Uses months that another reader has read. */
  keep(months: NamedMonths): void {
    for (const [name, month] of months) {
      if (!this.#hasSegmentOf(name)) continue;
      this.#kept.set(name, Promise.resolve(month));
      this.#read.set(name, month);
    }
  }

  /**
   * The months that have days of the span, in order. Concurrent callers share reads. Months that were read are kept even if reading the
   * others fails.
   * @throws when they cannot be read now
   */
  async of({ firstDay, lastDay }: DaySpan): Promise<BrokerMonth[]> {
    const { panel, segments } = this.#rows;
    const wanted = new Set(panel.columns.dates.slice(firstDay, lastDay + 1).map((date) => date.slice(0, 7)));
    const needed = segments.filter((segment) => wanted.has(segment.slice(0, 7)));
    if (needed.length === 0) return [];
    const classes = await this.#classesOf();
    const months: BrokerMonth[] = [];
    let next = 0;
    const readAll = async () => {
      while (next < needed.length) {
        const place = next++;
        months[place] = await this.#month(needed[place]!, classes);
      }
    };
    // Wait for all reads to end before the next attempt starts.
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, readAll));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return months;
  }

  #classesOf(): Promise<BrokerClasses> {
    this.#classes ??= loadBrokerClasses(this.#readArrow, this.#rows.version).catch((error: unknown) => {
      this.#classes = undefined;
      throw error;
    });
    return this.#classes;
  }

  #hasSegmentOf(name: string): boolean {
    return this.#rows.segments.includes(segmentOf(name));
  }

  #month(segment: string, classes: BrokerClasses): Promise<BrokerMonth> {
    const lastDay = this.#rows.panel.columns.dates.at(-1);
    // The same segment has more days once a partial day is whole.
    const until = lastDay?.startsWith(segment.slice(0, 7)) ? lastDay : undefined;
    const key = nameOf(segment, until === undefined ? classes : { ...classes, until });
    const month =
      this.#kept.get(key) ??
      this.#load(key, segment, classes).catch((error: unknown) => {
        this.#kept.delete(key);
        throw error;
      });
    this.#kept.set(key, month);
    return month;
  }

  async #load(key: string, segment: string, classes: BrokerClasses): Promise<BrokerMonth> {
    const cached = await this.#cache?.find<BrokerMonth>(`month ${key}`);
    const month = cached ?? (await loadBrokerMonth(this.#readArrow, this.#rows.panel, segment, classes));
    if (!cached) void this.#cache?.keep(`month ${key}`, month);
    this.#read.set(key, month);
    return month;
  }
}
