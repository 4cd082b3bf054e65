import type { ImportOutcome } from '#proto/saring/market_data/v1/datasets.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { dueDays } from './due-days.ts';
import { DeclaredSource, type DeclaredSourceOptions } from './declared-source.ts';
import type { Origin } from '../origins/origin.ts';
import { unpacked } from '../origins/unpacked.ts';
import type { DataFile, Delivered, Delivery } from '../deliveries/delivery.ts';
import type { DueRequest, Publication, Source } from './source.ts';

interface DaySourceOptions extends DeclaredSourceOptions {
  origin: Origin;
  calendar: TradingCalendar;
  dueAt: string;
}

/** A source that is asked for one trading day at a time. */
export class DaySource extends DeclaredSource<DaySourceOptions> implements Source {
  readonly hasDays = true;
  /** A day that is due is asked for soon, and looking costs nothing but a look at the calendar. */
  readonly lookEveryMs = 10_000;

  constructor(options: DaySourceOptions) {
    super(options, options.origin.description);
  }

  async due(request: DueRequest): Promise<string[]> {
    this.requireRealMarket(request.market);
    return dueDays({ ...request, ...this.options });
  }

  async fetch(day: string, signal: AbortSignal): Promise<Delivery> {
    const { origin, reader, maxBytes } = this.options;
    const received = await origin.get(day, signal);
    const reading = await reader.read(unpacked(received, maxBytes), day);
    return { ...reading, bytes: received.bytes.length };
  }

  async publish(deliveries: Delivered[], to: Publication): Promise<ImportOutcome> {
    const byDay = deliveries.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
    const newest = byDay.at(-1)!.subject;
    // Days of a synthetic market, which a span to catch up replaces, tell nothing.
    const isNews = to.market.kind !== 'real' || newest >= to.market.wholeUntil;
    // Names change. Those of an old day that is fetched again must not replace today's.
    const isWanted = ({ path }: DataFile, day: string) =>
      !path.startsWith('listing/') || (isNews && day === newest);
    const files = byDay.flatMap(({ subject, delivery }) =>
      delivery.files.filter((file) => isWanted(file, subject)),
    );
    return this.publishFiles(byDay, files, to);
  }
}
