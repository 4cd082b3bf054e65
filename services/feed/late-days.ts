import type { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { DAILY_SUMMARY, newestDueDay } from '#quant/exchange/calendar/due-days.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { Clock } from '#foundation/clock.ts';
import { eventForMany } from '#platform/postgres/outbox-event.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import type { FeedTables } from './store/tables.ts';

const MS_PER_MINUTE = 60_000;

interface LateDaysDependencies {
  outbox: Outbox<FeedTables>;
  datasets: Pick<ServiceClient<DatasetServiceService>, 'getCurrentDataset'>;
  calendar: TradingCalendar;
  clock: Clock;
}

/**
 * Tells applications of each trading day that is late, once. Market-data judges what is late, so that an event says the same as
 * `freshness` in the answers. A generated market that gets no more days lacks nothing.
 */
export class LateDays {
  readonly #deps: LateDaysDependencies;

  constructor(deps: LateDaysDependencies) {
    this.#deps = deps;
  }

  async tellDue(): Promise<void> {
    const { outbox, datasets, clock } = this.#deps;
    const { dataset, freshness } = await datasets.getCurrentDataset({}, { requestId: randomId('req') });
    if (!dataset || !freshness?.is_late || freshness.cause === 'stands_still') return;
    const { data_as_of, expected_as_of, behind_trading_days } = freshness;
    const at = clock();
    const newestLate = this.#newestLate(at);
    // A day that is due and not late yet is expected too.
    const day = newestLate < expected_as_of ? newestLate : expected_as_of;
    if (day <= data_as_of) return;
    const market = dataset.kind as 'real' | 'synthetic';
    await outbox.inTransaction(async (tx) => {
      const isFirst = await tx
        .insertInto('late_day')
        .values({ market, day, told_at: at })
        .onConflict((known) => known.doNothing())
        .returning('day')
        .executeTakeFirst();
      if (!isFirst) return;
      const data = { market, day, data_as_of, behind_trading_days };
      await outbox.put(tx, [eventForMany('feed', { type: 'feed.late', data, at })]);
    });
  }

  #newestLate(now: Date): string {
    const { calendar } = this.#deps;
    return newestDueDay(calendar, new Date(now.getTime() - DAILY_SUMMARY.lateAfterMinutes * MS_PER_MINUTE));
  }
}
