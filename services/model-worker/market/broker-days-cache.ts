import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { BrokerMonth } from '#quant/broker-measures/measures.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { isRecent } from './recent-months.ts';
import type { OpenMarket } from './shared-market.ts';

/** The broker summaries of a market that a thread has used so far. */
export class BrokerDaysCache {
  readonly #market: Pick<OpenMarket, 'panel' | 'segments'>;
  #months: BrokerMonth[] = [];
  #days: BrokerDays;

  constructor(market: Pick<OpenMarket, 'panel' | 'segments'>) {
    this.#market = market;
    this.#days = new BrokerDays(market.panel);
  }

  /** The held summaries, including those of the span's days, whose months `read` gives if they are not held. */
  async of(
    span: DaySpan | undefined,
    read: (span: DaySpan) => Promise<readonly BrokerMonth[]>,
  ): Promise<BrokerDays> {
    if (span && this.#lacks(span)) {
      for (const month of await read(span)) if (!this.#holds(month)) this.#add(month);
    }
    return this.#days;
  }

  /** Lets go of months that only runs that train, and those of past days, read. */
  forgetOlder(): void {
    const recent = this.#months.filter((month) => isRecent(month, this.#market.panel.columns));
    if (recent.length === this.#months.length) return;
    this.#months = recent;
    this.#days = new BrokerDays(this.#market.panel, recent);
  }

  #add(month: BrokerMonth): void {
    this.#months.push(month);
    this.#days.add(month);
  }

  #lacks({ firstDay, lastDay }: DaySpan): boolean {
    const { panel, segments } = this.#market;
    const stored = new Set(segments.map((segment) => segment.slice(0, 7)));
    for (let day = firstDay; day <= lastDay; day++) {
      if (!this.#days.holds(day) && stored.has(panel.columns.dates[day]!.slice(0, 7))) return true;
    }
    return false;
  }

  #holds({ dates }: BrokerMonth): boolean {
    return dates.every((date) => this.#days.holds(this.#market.panel.dayOnOrBefore(date)));
  }
}
