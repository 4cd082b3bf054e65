import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import { newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Delivered, Delivery, Subject } from '../deliveries/delivery.ts';
import type { DueRequest, Publication, Source } from './source.ts';

/** Nothing is asked of anybody, so the budget only has to be larger than the days of a day. */
const REQUESTS_PER_DAY = 100_000;
const NOTHING_RECEIVED: Delivery = { bytes: 0, rows: 0, findings: [], digest: '', files: [] };

/** When a generated market gets its next day: on each trading day of the exchange, or after so many milliseconds. */
type Pace = 'calendar' | { dayMs: number };

/** The generated market, which goes on by itself. Its days are labelled synthetic as the market is. */
export class GeneratorSource implements Source {
  readonly name = 'generator';
  readonly format = 'generator';
  readonly origin = '';
  readonly requestsPerDay = REQUESTS_PER_DAY;
  readonly hasBars = true;
  readonly hasDays = false;
  readonly lookEveryMs: number;
  readonly #pace: Pace;
  readonly #calendar: TradingCalendar;
  /** When the last day of an accelerated market was begun. Its publication takes some of the time until the next one. */
  #begunAt: Date | undefined;

  constructor(pace: Pace, calendar: TradingCalendar) {
    this.#pace = pace;
    this.#calendar = calendar;
    this.lookEveryMs = pace === 'calendar' ? 10_000 : 1_000;
  }

  /** No day if another market is served. An accelerated market has one day at a time, and never passes what is due today. */
  async due({ market, now }: DueRequest): Promise<Subject[]> {
    const last = market.days.at(-1);
    if (!market.isGenerated || last === undefined) return [];
    const days = this.#calendar.missingDays(last, newestDueDay(this.#calendar, now));
    if (this.#pace === 'calendar') return days;
    const lastAt = this.#begunAt ?? market.publishedAt;
    if (lastAt && lastAt.getTime() + this.#pace.dayMs > now.getTime()) return [];
    if (days.length > 0) {
      this.#begunAt = now;
      return days.slice(0, 1);
    }
    throw new SourceFailure(
      'not_published',
      `The generated market has come to ${last}, today's newest day, and cannot run ahead of the exchange. Start one that ends ` +
        'earlier: saring dataset sample --last-date 2020-12-30',
      { retryAfterMs: 60_000 },
    );
  }

  async fetch(): Promise<Delivery> {
    return NOTHING_RECEIVED;
  }

  publish(delivered: Delivered[], { publisher, market, signal }: Publication): Promise<ImportOutcome> {
    const request = { continue_from: market.version, days_more: delivered.length };
    return publisher.continued(request, signal);
  }
}
