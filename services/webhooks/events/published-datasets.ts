import { removeSome } from '#platform/postgres/purge-expired.ts';
import { sql, type Kysely } from 'kysely';
import type { Dataset, DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { Clock } from '#foundation/clock.ts';
import { eventForMany } from '#platform/postgres/outbox-event.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import { wholeUntil, type NewestTradingDay } from '#shared/market/newest-trading-day.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import type { WebhooksTables } from '../store/tables.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** A version that was published longer ago is no news, for example where this service is new. */
const NEWS_FOR_MS = DAY_MS;

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
  purge(before: Date, limit: number): Promise<number> {
    const where = sql`told_at < ${before}`;
    return removeSome(this.#deps.database, { table: 'told_dataset', key: ['version'], where, limit });
  }

  #tellOnce(dataset: Dataset): Promise<void> {
    const { version, kind, published_at } = dataset;
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
      const data = {
        dataset_version: version,
        market: kind as 'real' | 'synthetic',
        as_of: wholeUntil(dataset),
      };
      await outbox.put(tx, [eventForMany('webhooks', { type: 'dataset.published', data, at })]);
    });
  }
}
