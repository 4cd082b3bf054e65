import { sql, type Kysely } from 'kysely';
import { BACKUP_LOCK } from '#platform/postgres/backup-lock.ts';
import type { DatasetServiceService, ServedDataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { Clock } from '#foundation/clock.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { MarketState } from './market/served-market.ts';
import type { FeedTables } from './store/tables.ts';

/** Versions served within this time stay, so that an operator can go back to them. */
const ROLLBACK_MS = 3_600_000;
const SERVED_LIMIT = 1_000;
const PRUNE_TIMEOUT_MS = 120_000;

interface RetentionDependencies {
  database: Kysely<FeedTables>;
  datasets: Pick<ServiceClient<DatasetServiceService>, 'listServedDatasets' | 'pruneDatasets'>;
  keepVersions: number;
  clock: Clock;
  log: Logger;
}

/** Removes old dataset versions after a publication, so that daily data fills no disk. */
export class Retention {
  readonly #deps: RetentionDependencies;

  constructor(deps: RetentionDependencies) {
    this.#deps = deps;
  }

  /** Removes nothing while a backup is running. A failure is left to the next publication. */
  async prune({ kind }: MarketState): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await database.transaction().execute(async (tx) => {
        const { rows } = await sql<{
          free: boolean;
        }>`select pg_try_advisory_xact_lock(${BACKUP_LOCK}) as free`.execute(tx);
        if (rows[0]?.free) await this.#prune(kind);
      });
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'old dataset versions could not be removed');
    }
  }

  async #prune(kind: string): Promise<void> {
    const { datasets, keepVersions, clock, log } = this.#deps;
    const call = { requestId: randomId('req'), actor: 'feed', timeoutMs: PRUNE_TIMEOUT_MS };
    const since = clock().getTime() - ROLLBACK_MS;
    const { served } = await datasets.listServedDatasets({ limit: SERVED_LIMIT }, call);
    // Each version was served until the next one was, so the last one that began before that time was served within it too.
    const isWithin = (_: ServedDataset, at: number) =>
      at === 0 || served[at - 1]!.served_at!.getTime() >= since;
    // Nobody goes back in a generated market, which may have a new day every few seconds.
    const stay = kind === 'real' ? served.filter(isWithin) : [];
    const { removed } = await datasets.pruneDatasets(
      { keep: keepVersions, stay: stay.map(({ version }) => version) },
      call,
    );
    if (removed.length > 0) log.info({ removed }, 'old dataset versions are removed');
  }
}
