import type { Kysely } from 'kysely';
import type { Dataset, DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { Clock } from '#shared/clock.ts';
import { eventForMany } from '#shared/events/outbox-event.ts';
import type { ServiceClient } from '#shared/grpc/client.ts';
import { randomId } from '#shared/ids.ts';
import type { NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import type { Outbox } from '#shared/postgres/outbox.ts';
import type { WebhooksTables } from '../store/tables.ts';

/** A version that was published longer ago is no news, for example where this service is new. */
const NEWS_FOR_MS = 24 * 3_600_000;

interface PublishedDatasetsDependencies {
  database: Kysely<WebhooksTables>;
  outbox: Outbox<WebhooksTables>;
  newest: Pick<NewestTradingDay, 'known'>;
  datasets: Pick<ServiceClient<DatasetServiceService>, 'getCurrentDataset'>;
  clock: Clock;
}

/**
 * Tells applications of each dataset version, once, when it is first served. ClickHouse, which keeps datasets, has no transactions
 * with anything else, so that this service records which versions it has seen. A version that another replaced before anybody could
 * read it is not told, and neither is the return to an earlier one.
 */
export class PublishedDatasets {
  readonly #deps: PublishedDatasetsDependencies;
  /** The version that was considered last. */
  #considered = '';

  constructor(deps: PublishedDatasetsDependencies) {
    this.#deps = deps;
  }

  async tellNew(): Promise<void> {
    const { newest, datasets } = this.#deps;
    const version = newest.known?.version;
    if (version === undefined || version === this.#considered) return;
    const { dataset } = await datasets.getCurrentDataset({}, { requestId: randomId('req') });
    if (!dataset) return;
    await this.#tellOnce(dataset);
    this.#considered = dataset.version;
  }

  /** Forgets versions that were told before this moment, at most `limit`. Returns how many. */
  async purge(before: Date, limit: number): Promise<number> {
    const { database } = this.#deps;
    const old = database
      .selectFrom('told_dataset')
      .select('version')
      .where('told_at', '<', before)
      .limit(limit);
    const { numDeletedRows } = await database
      .deleteFrom('told_dataset')
      .where('version', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  #tellOnce({ version, kind, last_date: as_of, published_at }: Dataset): Promise<void> {
    const { outbox, clock } = this.#deps;
    const now = clock();
    return outbox.inTransaction(async (tx) => {
      const isFirst = await tx
        .insertInto('told_dataset')
        .values({ version, told_at: now })
        .onConflict((known) => known.doNothing())
        .returning('version')
        .executeTakeFirst();
      const at = published_at ?? now;
      if (!isFirst || now.getTime() - at.getTime() > NEWS_FOR_MS) return;
      const data = { dataset_version: version, market: kind as 'real' | 'synthetic', as_of };
      await outbox.put(tx, [eventForMany('webhooks', { type: 'dataset.published', data, at })]);
    });
  }
}
