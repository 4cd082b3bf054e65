import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Caller } from './owned-rows.ts';
import type { ScreensTables, TrialTable } from './tables.ts';

export type TrialRow = Selectable<TrialTable>;

export class TrialStore {
  readonly #db: Kysely<ScreensTables>;

  constructor(db: Kysely<ScreensTables>) {
    this.#db = db;
  }

  /** Keeps a trial. The same one again replaces its outcome, which a correction of the data may have changed. */
  async keep(trial: Insertable<TrialTable>): Promise<void> {
    const { excess, tried_at } = trial;
    await this.#db
      .insertInto('trial')
      .values(trial)
      .onConflict((known) => known.column('trial_id').doUpdateSet({ excess, tried_at }))
      .execute();
  }

  /** What the end user tried on days of this span, one row for each variant: its newest. At most `limit`. */
  async onDays(
    { api_key_id, end_user }: Caller,
    { first_day, last_day, market }: Pick<TrialRow, 'first_day' | 'last_day' | 'market'>,
    limit: number,
  ): Promise<TrialRow[]> {
    return this.#db
      .selectFrom('trial')
      .selectAll()
      .distinctOn('variant')
      .where('api_key_id', '=', api_key_id)
      .where('end_user', '=', end_user)
      .where('market', '=', market)
      .where('first_day', '<=', last_day)
      .where('last_day', '>=', first_day)
      .orderBy('variant')
      .orderBy('tried_at', 'desc')
      .limit(limit)
      .execute();
  }
}
