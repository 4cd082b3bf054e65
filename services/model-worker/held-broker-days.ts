import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { loadBrokerClasses, loadBrokerMonth, type BrokerClasses } from '#market-reader/read-broker-month.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { TrainingCancelled } from '#quant/learning/boosting/trainer.ts';
import type { ReadArrow } from '#market-reader/read-panel.ts';
import type { Panel } from '#quant/panel/panel.ts';

/** Summaries of segments by their name and the broker classes they were made with; they outlive dataset versions. */
type KeptMonths = Map<string, BrokerMonth>;

/** Where a dataset version has its broker rows. */
interface BrokerRowsOf {
  panel: Panel;
  version: string;
  /** `YYYY-MM.…`, one a calendar month. */
  segments: readonly string[];
}

/** Segments that are read at the same time: while one is taken in here, ClickHouse works on the other. */
const AT_ONCE = 2;

/**
 * Summaries of the broker rows of a dataset version: of each month from when a run first needs it. They are not read
 * ahead: the days of a run with the defaults take up 57 MB, which a worker that never runs such a model has no use for,
 * and reading them would take processors from the runs of all models just when a worker has started.
 */
export class HeldBrokerDays {
  readonly #readArrow: ReadArrow;
  readonly #rows: BrokerRowsOf;
  readonly #kept: KeptMonths;
  readonly #days: BrokerDays;
  #classes: BrokerClasses | undefined;

  /** @param before what was held of the version before, most of whose segments this one has too */
  constructor(readArrow: ReadArrow, rows: BrokerRowsOf, before?: HeldBrokerDays) {
    this.#readArrow = readArrow;
    this.#rows = rows;
    const months = before ? [...before.#kept] : [];
    this.#kept = new Map(months.filter(([key]) => rows.segments.includes(segmentOf(key))));
    this.#days = new BrokerDays(rows.panel);
  }

  /**
   * The summaries that are held, those of the days among them. What was read stays when the rest is not.
   * @throws when they cannot be read now.
   * @throws TrainingCancelled when `shouldStop`, asked before each month, says so.
   */
  async of(span: DaySpan | undefined, shouldStop = () => false): Promise<BrokerDays> {
    const missing = span ? this.#missing(span) : [];
    if (missing.length > 0) {
      this.#classes ??= await loadBrokerClasses(this.#readArrow, this.#rows.version);
      const classes = this.#classes;
      const reading = Array.from({ length: AT_ONCE }, () => this.#addAll(missing, classes, shouldStop));
      // Both have ended before anybody tries again.
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
