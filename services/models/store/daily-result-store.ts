import type { Kysely, Selectable } from 'kysely';
import type { RecordedPicks, ScoredStock } from '#proto/saring/events/v1/runs.ts';
import { StoreModelResultRequest } from '#proto/saring/market_data/v1/model_results.ts';
import type { DailyResultTable, ModelsTables, RunRow } from './tables.ts';

/** The table `daily_result`: results of daily runs that market-data has not stored yet. */
export class DailyResultStore {
  readonly #db: Kysely<ModelsTables>;

  constructor(db: Kysely<ModelsTables>) {
    this.#db = db;
  }

  oldest(limit: number): Promise<Selectable<DailyResultTable>[]> {
    return this.#db.selectFrom('daily_result').selectAll().orderBy('ended_at').limit(limit).execute();
  }

  async release(jobId: string): Promise<void> {
    await this.#db.deleteFrom('daily_result').where('job_id', '=', jobId).execute();
  }
}

/** Holds the result of a daily run, in the transaction that ends the run. That it scored no stock is a result too: nothing more comes. */
export async function holdDailyResult(
  db: Kysely<ModelsTables>,
  { job_id, model_id, dataset_version, finished_at }: RunRow,
  { as_of, dataset_kind }: RecordedPicks,
  stocks: ScoredStock[],
): Promise<void> {
  const result = { job_id, model_id, as_of, dataset_kind, dataset_version: dataset_version ?? '', stocks };
  const request = Buffer.from(StoreModelResultRequest.encode(result).finish());
  await db.insertInto('daily_result').values({ job_id, request, ended_at: finished_at! }).execute();
}
