import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { loadBrokerClasses, loadBrokerMonth, type BrokerClasses } from '#market-reader/read-broker-month.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { TrainingCancelled } from '#quant/learning/boosting/trainer.ts';
import type { ReadArrow } from '#market-reader/read-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';

/** Summaries of segments by segment name and the broker classes they were computed with. They outlive dataset versions. */
type KeptMonths = Map<string, BrokerMonth>;

/** The broker rows of a dataset version. */
interface BrokerRowsOf {
  panel: Panel;
  version: string;
  /** `YYYY-MM.…`, one per calendar month. */
  segments: readonly string[];
}

/** Number of segments read at the same time: while the worker takes in one, ClickHouse works on the other. */
const AT_ONCE = 2;

/**
 * Summaries of the broker rows of a dataset version. A month is read when a run first needs it, not ahead: the days of a run
 * with the defaults take 57 MB, which is wasted in a worker that never runs such a model, and reading them would slow down the
 * runs of all models just after a worker has started.
 */
export class HeldBrokerDays {
  readonly #readArrow: ReadArrow;
  readonly #rows: BrokerRowsOf;
  readonly #kept: KeptMonths;
  readonly #days: BrokerDays;
  #classes: BrokerClasses | undefined;

  /** @param before summaries of the previous version, most of whose segments this version shares */
  constructor(readArrow: ReadArrow, rows: BrokerRowsOf, before?: HeldBrokerDays) {
    this.#readArrow = readArrow;
    this.#rows = rows;
    const months = before ? [...before.#kept] : [];
    this.#kept = new Map(months.filter(([key]) => rows.segments.includes(segmentOf(key))));
    this.#days = new BrokerDays(rows.panel);
  }

  /**
   * The held summaries, including those of the span's days. Months that were read are kept even if reading the others fails.
   * @throws when they cannot be read now
   * @throws TrainingCancelled when `shouldStop`, called before each month, returns true
   */
  async of(span: DaySpan | undefined, shouldStop = () => false): Promise<BrokerDays> {
    const missing = span ? this.#missing(span) : [];
    if (missing.length > 0) {
      this.#classes ??= await loadBrokerClasses(this.#readArrow, this.#rows.version);
      const classes = this.#classes;
      const reading = Array.from({ length: AT_ONCE }, () => this.#addAll(missing, classes, shouldStop));
      // Wait for both reads to end before the next attempt starts.
      const ends = await Promise.allSettled(reading);
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      if (missing.length > 0) throw new TrainingCancelled();
    }
    return this.#days;
  }

  async #addAll(segments: string[], classes: BrokerClasses, shouldStop: () => boolean): Promise<void> {
    while (segments.length > 0 && !shouldStop()) {
      this.#days.add(await this.#month(segments.pop()!, classes));
    }
  }

  #missing({ firstDay, lastDay }: DaySpan): string[] {
    const { panel, segments } = this.#rows;
    const months = new Set<string>();
    for (let day = firstDay; day <= lastDay; day++) {
      if (!this.#days.holds(day)) months.add(panel.columns.dates[day]!.slice(0, 7));
    }
    return segments.filter((segment) => months.has(segment.slice(0, 7)));
  }

  async #month(segment: string, classes: BrokerClasses): Promise<BrokerMonth> {
    const key = `${segment} ${JSON.stringify(classes)}`;
    const month =
      this.#kept.get(key) ?? (await loadBrokerMonth(this.#readArrow, this.#rows.panel, segment, classes));
    this.#kept.set(key, month);
    return month;
  }
}

function segmentOf(key: string): string {
  return key.slice(0, key.indexOf(' '));
}
