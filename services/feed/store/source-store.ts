import type { Kysely, Selectable, Updateable } from 'kysely';
import { isFree, type NewLease } from '#platform/postgres/lease.ts';
import type { FeedTables, SourceTable } from './tables.ts';

export type SourceRow = Selectable<SourceTable>;

/** A source that this copy works for, and until when other copies leave it alone. */
export interface Claim {
  row: SourceRow;
  leasedUntil: Date;
}

export type Finding = Pick<Updateable<SourceTable>, 'catch_up_done' | 'last_day' | 'last_published_at'> & {
  next_attempt_at: Date;
  failures: number;
  reason: string | null;
  due_subject: string | null;
  isCaughtUp?: boolean;
};

export class SourceStore {
  readonly #db: Kysely<FeedTables>;

  constructor(db: Kysely<FeedTables>) {
    this.#db = db;
  }

  async declare(names: string[], now: Date): Promise<void> {
    if (names.length === 0) return;
    await this.#db
      .insertInto('source')
      .values(names.map((name) => ({ name, next_attempt_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async find(name: string): Promise<SourceRow | undefined> {
    return this.#db.selectFrom('source').selectAll().where('name', '=', name).executeTakeFirst();
  }

  async list(): Promise<SourceRow[]> {
    return this.#db.selectFrom('source').selectAll().execute();
  }

  /** Takes a source whose next attempt has come. Undefined if it is paused, rests, or another copy works for it. */
  async claim(name: string, lease: NewLease): Promise<Claim | undefined> {
    const { now, until: leasedUntil } = lease;
    const row = await this.#db
      .updateTable('source')
      .set({ leased_until: leasedUntil })
      .where('name', '=', name)
      .where('paused_at', 'is', null)
      .where('next_attempt_at', '<=', now)
      .where(isFree('leased_until', lease))
      .returningAll()
      .executeTakeFirst();
    return row && { row, leasedUntil };
  }

  /** Whether the source was still this copy's, and is until the new time. */
  async renew({ row: { name }, leasedUntil }: Claim, until: Date): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('source')
      .set({ leased_until: until })
      .where('name', '=', name)
      .where('leased_until', '=', leasedUntil)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Writes what was found and gives the source back. If an operator asked for it meanwhile, what was asked for stays. */
  async settle({ row, leasedUntil }: Claim, { isCaughtUp, ...found }: Finding): Promise<void> {
    const done = isCaughtUp ? { catch_up_from: null, catch_up_to: null, catch_up_done: null } : {};
    const held = this.#db
      .updateTable('source')
      .where('name', '=', row.name)
      .where('leased_until', '=', leasedUntil);
    const { numUpdatedRows } = await held
      .set({ ...found, ...done, leased_until: null })
      .where('asked_at', 'is not distinct from', row.asked_at)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return;
    const { next_attempt_at: _, failures: __, catch_up_done: ___, ...brought } = found;
    await held.set({ ...brought, leased_until: null }).execute();
  }

  /** Asks the source at the next round, also for what rests after failures, and catches up a span if one is given. */
  async askNow(name: string, now: Date, span?: { from: string; to: string }): Promise<void> {
    const catchUp = span && { catch_up_from: span.from, catch_up_to: span.to, catch_up_done: null };
    await this.#update(name, { next_attempt_at: now, asked_at: now, failures: 0, ...catchUp });
  }

  async pause(name: string, reason: string, now: Date): Promise<void> {
    await this.#update(name, { paused_at: now, pause_reason: reason });
  }

  async resume(name: string, now: Date): Promise<void> {
    const asked = { next_attempt_at: now, asked_at: now, failures: 0 };
    await this.#update(name, { ...asked, paused_at: null, pause_reason: null });
  }

  async #update(name: string, values: Updateable<SourceTable>): Promise<void> {
    await this.#db.updateTable('source').set(values).where('name', '=', name).execute();
  }
}
