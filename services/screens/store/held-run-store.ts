import type { Insertable, Kysely, Selectable } from 'kysely';
import type { HeldRunTable, ScreensTables } from './tables.ts';

/** The table `held_run`: runs of screens that NATS has not taken yet. */
export class HeldRunStore {
  readonly #db: Kysely<ScreensTables>;

  constructor(db: Kysely<ScreensTables>) {
    this.#db = db;
  }

  async hold(runs: Insertable<HeldRunTable>[]): Promise<void> {
    await this.#db
      .insertInto('held_run')
      .values(runs)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  oldest(limit: number): Promise<Selectable<HeldRunTable>[]> {
    return this.#db.selectFrom('held_run').selectAll().orderBy('ran_at').limit(limit).execute();
  }

  async release(ids: string[]): Promise<void> {
    if (ids.length > 0) await this.#db.deleteFrom('held_run').where('event_id', 'in', ids).execute();
  }
}
