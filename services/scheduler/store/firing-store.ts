import { removeSome } from '#platform/postgres/purge-expired.ts';
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { ServedMarket } from '#shared/market/newest-trading-day.ts';
import type { FiringTable, SchedulePlaceTable, SchedulerTables, ScheduleTable } from './tables.ts';

export type FiringRow = Selectable<FiringTable>;
type Placed = Pick<Selectable<ScheduleTable>, 'id' | 'calendar'> & Selectable<SchedulePlaceTable>;

/** A day on which a schedule is due, and the first calendar day of its day, week or month. */
interface DueDay {
  day: string;
  periodStart: string;
}

/** A firing that is about to be attempted, with the details of its run. */
export type Attempt = FiringRow &
  Pick<Selectable<ScheduleTable>, 'api_key_id' | 'end_user' | 'model_id' | 'view'> & {
    /** A day on which the schedule was found due later; null while there is none. It is older if an older market came. */
    newer_day: string | null;
  };

/** The table `firing`, and the columns of `schedule` that change together with it. */
export class FiringStore {
  readonly #db: Kysely<SchedulerTables>;

  constructor(db: Kysely<SchedulerTables>) {
    this.#db = db;
  }

  /**
   * Gives every schedule a place in the market. Days that it already has cannot make a schedule due. The first place of a
   * schedule of the previous version is what it had come to, so that it fires for a day that arrived during the upgrade, but no
   * later than the market's newest day: it may have come further in another market, which would hold it up in this one.
   */
  async enter({ market, day }: ServedMarket): Promise<void> {
    await sql`insert into schedule_place (schedule_id, market, after_day)
      select id, ${market}, case when exists (select from schedule_place where schedule_id = id)
        then ${day}::text else least(after_day, ${day}::text) end
      from schedule on conflict do nothing`.execute(this.#db);
  }

  /**
   * Enabled schedules whose place in the market is before its newest day (`<`), so that they have not yet considered it, past it
   * (`>`) or not before it (`>=`).
   */
  placed(where: '<' | '>' | '>=', { market, day }: ServedMarket): Promise<Placed[]> {
    return this.#db
      .selectFrom('schedule')
      .innerJoin('schedule_place as place', 'place.schedule_id', 'schedule.id')
      .select(['id', 'calendar', 'place.schedule_id', 'market', 'place.after_day', 'place.behind_since'])
      .where('enabled', '=', true)
      .where('market', '=', market)
      .where('place.after_day', where, day)
      .orderBy('id')
      .execute();
  }

  /** Notes since when the market ends before the place of each schedule, and forgets it where it does not any more. */
  async noteBehind({ market, day }: ServedMarket, now: Date): Promise<void> {
    await sql`update schedule_place set behind_since = case when after_day > ${day} then ${now}::timestamptz end
      where market = ${market} and (after_day > ${day}) = (behind_since is null)`.execute(this.#db);
  }

  /**
   * Records that the schedule considered the day and is not due. Does nothing if the schedule has changed since it was read.
   */
  async pass(placed: Placed, day: string): Promise<void> {
    await considered(placed, day).execute(this.#db);
  }

  /**
   * Records that the schedule is due on the day and adds a pending firing. Uses one statement, so that only one of several
   * processes finds the schedule unchanged. Adds none if the schedule has fired since `periodStart`, which is possible when an
   * older version of the market was served meanwhile.
   */
  async claim(placed: Placed, { day, periodStart }: DueDay, at: Date): Promise<void> {
    const { market } = placed;
    await sql`with due as (${considered(placed, day)} returning place.schedule_id)
      insert into firing (schedule_id, market, trading_day, params, noticed_at, next_attempt_at)
      select id, ${market}, ${day}, params, ${at}, ${at}
      from due join schedule on schedule.id = due.schedule_id
      where not exists (
        select from firing where firing.schedule_id = due.schedule_id and market = ${market}
          and trading_day between ${periodStart} and ${day}
      )
      on conflict do nothing`.execute(this.#db);
  }

  /**
   * Takes firings of the served market that are ready, oldest first. No other process attempts them before `nextAttemptAt`. A
   * firing of another market waits until that market is served again: its run would analyse a day of this one.
   */
  async take(limit: number, market: string, now: Date, nextAttemptAt: Date): Promise<Attempt[]> {
    const { rows } = await sql<Attempt>`
      with ready as (
        select schedule_id, market, trading_day, api_key_id, end_user, model_id, view,
          (select max(later.trading_day) from firing as later where later.schedule_id = firing.schedule_id
            and later.market = firing.market and later.noticed_at > firing.noticed_at) as newer_day
        from firing join schedule on schedule.id = firing.schedule_id
        where outcome is null and market = ${market} and next_attempt_at <= ${now}
        order by next_attempt_at limit ${limit} for update of firing skip locked
      )
      update firing
      set next_attempt_at = ${nextAttemptAt}, first_attempt_at = coalesce(first_attempt_at, ${now})
      from ready where firing.schedule_id = ready.schedule_id and firing.market = ready.market
        and firing.trading_day = ready.trading_day
      returning firing.*, ready.api_key_id, ready.end_user, ready.model_id, ready.view, ready.newer_day`.execute(
      this.#db,
    );
    return rows;
  }

  /** Removes pending firings of deleted schedules. They exist when a schedule is deleted while a process finds it due. */
  async dropOrphans(): Promise<void> {
    await sql`delete from firing
      where outcome is null and schedule_id not in (select id from schedule)`.execute(this.#db);
  }

  /** Marks the firing as accepted whatever its outcome was, because a run exists. */
  async accept(firing: FiringRow, jobId: string, at: Date): Promise<void> {
    const change = { outcome: 'accepted', decided_at: at, job_id: jobId, reason: null } as const;
    await one(this.#db, firing).set(change).execute();
  }

  async refuse(firing: FiringRow, reason: string, at: Date): Promise<void> {
    const change = { outcome: 'refused', decided_at: at, reason } as const;
    await one(this.#db, firing).set(change).where('outcome', 'is', null).execute();
  }

  /** Disables a schedule that cannot run any more. */
  async endSchedule(scheduleId: string, reason: string): Promise<void> {
    await this.#db
      .updateTable('schedule')
      .set({ enabled: false, ended_because: reason })
      .where('id', '=', scheduleId)
      .where('enabled', '=', true)
      .execute();
  }

  async postpone(firing: FiringRow, reason: string, nextAttemptAt: Date): Promise<void> {
    const change = { reason, next_attempt_at: nextAttemptAt };
    await one(this.#db, firing).set(change).where('outcome', 'is', null).execute();
  }

  /** Removes firings decided before this moment, at most `limit`. Returns how many it removed. */
  purge(before: Date, limit: number): Promise<number> {
    const key = ['schedule_id', 'market', 'trading_day'];
    return removeSome(this.#db, { table: 'firing', key, where: sql`decided_at < ${before}`, limit });
  }

  /** Newest first. */
  list(scheduleId: string | undefined, limit: number): Promise<FiringRow[]> {
    return this.#db
      .selectFrom('firing')
      .selectAll()
      .$if(scheduleId !== undefined, (query) => query.where('schedule_id', '=', scheduleId!))
      .orderBy('noticed_at', 'desc')
      .orderBy('schedule_id')
      .limit(limit)
      .execute();
  }
}

function considered({ id, market, after_day, calendar }: Placed, day: string): RawBuilder<unknown> {
  return sql`update schedule_place as place set after_day = ${day}, behind_since = null from schedule
    where schedule.id = ${id} and schedule.enabled and schedule.calendar = ${calendar}
      and place.schedule_id = schedule.id and place.market = ${market} and place.after_day = ${after_day}`;
}

function one(db: Kysely<SchedulerTables>, { schedule_id, market, trading_day }: FiringRow) {
  return db
    .updateTable('firing')
    .where('schedule_id', '=', schedule_id)
    .where('market', '=', market)
    .where('trading_day', '=', trading_day);
}
