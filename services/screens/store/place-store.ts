import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import type { Rules } from '#fields/rules/rules.ts';
import type { MemberChange } from '#proto/saring/market_data/v1/fields.ts';
import { eventFor } from '#platform/postgres/outbox-event.ts';
import { TEST_KEY_ID, TEST_MARKET } from '#foundation/test-market.ts';
import { isFree, type NewLease } from '#platform/postgres/lease.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import type { ServedVersion } from '#shared/market/newest-trading-day.ts';
import type { ScreenPlaceTable, ScreensTables, ScreenTable, ScreenVersionTable } from './tables.ts';

/** A screen that a dataset version has not been considered for, and its place in the market; null if it has none yet. */
export type DueScreen = Pick<Selectable<ScreenTable>, 'screen_id' | 'api_key_id' | 'end_user' | 'version'> &
  Pick<Selectable<ScreenVersionTable>, 'universe'> & { rules: Rules; place: Place | null };

type Place = Pick<
  Selectable<ScreenPlaceTable>,
  | 'version'
  | 'dataset_version'
  | 'as_of'
  | 'tickers'
  | 'previous_as_of'
  | 'previous_tickers'
  | 'revision'
  | 'awaited_version'
> & {
  /** ISO times. */
  awaited_since: string | null;
  set_aside_since: string | null;
};

/** Where a screen goes, and who entered and left it on the day. */
export interface Move {
  screen_id: string;
  version: number;
  as_of: string | null;
  tickers: string[];
  previous_as_of: string | null;
  previous_tickers: string[];
  failure: string | null;
  entered: MemberChange[];
  left: MemberChange[];
  /** The revision of the place that the result rests on plus 1; 1 if there was no place. */
  revision: number;
  /** Whether the failure is one that may pass. */
  is_set_aside: boolean;
  /** When to try again, or to ask again for a model's daily result that the rules read; null if there is no need. */
  retry_at: Date | null;
}

/** Moves screens through the days of a market. */
export class PlaceStore {
  readonly #db: Kysely<ScreensTables>;
  readonly #outbox: Outbox<ScreensTables>;

  constructor(db: Kysely<ScreensTables>, outbox: Outbox<ScreensTables>) {
    this.#db = db;
    this.#outbox = outbox;
  }

  /** Whether a copy may follow a market now: it holds the turn, nobody does, or the holder has not renewed it. */
  async takeTurn(market: string, holder: string, lease: NewLease): Promise<boolean> {
    const { rows } = await sql`
      insert into following_turn as turn (market, holder, leased_until) values (${market}, ${holder}, ${lease.until})
      on conflict (market) do update set holder = excluded.holder, leased_until = excluded.leased_until
      where turn.holder = excluded.holder or ${isFree('turn.leased_until', lease)}
      returning market`.execute(this.#db);
    return rows.length > 0;
  }

  /** Lets another copy have the turn at once. */
  async endTurn(market: string, holder: string, now: Date): Promise<void> {
    await this.#db
      .updateTable('following_turn')
      .set({ leased_until: now })
      .where('market', '=', market)
      .where('holder', '=', holder)
      .execute();
  }

  /**
   * Screens by rules of the keys of a market that have not considered the dataset version in their own newest version, or are to be tried
   * again, in a fixed order: one of each key, then the next of each, so that a key with thousands delays no other. Every run of a model
   * trains anew, so screens by model are not followed.
   */
  async due({ market, version }: ServedVersion, now: Date, limit: number): Promise<DueScreen[]> {
    const { rows } = await sql<DueScreen>`
      select screen.screen_id, api_key_id, end_user, screen.version, universe, rules,
        case when place.screen_id is not null then to_json(place) end as place
      from screen join screen_version using (screen_id, version)
        left join screen_place as place on place.screen_id = screen.screen_id and place.market = ${market}
      where rules is not null and starts_with(api_key_id, ${TEST_KEY_ID}) = ${market === TEST_MARKET}
        and (place.screen_id is null or place.version <> screen.version
          or case when place.awaited_version = ${version} then place.retry_at <= ${now}
            else place.dataset_version <> ${version} end)
      order by row_number() over (partition by api_key_id order by screen.screen_id), screen.screen_id
      limit ${limit}`.execute(this.#db);
    return rows;
  }

  async hasTestScreens(): Promise<boolean> {
    const { rows } = await sql<{ has: boolean }>`
      select exists (select from screen where starts_with(api_key_id, ${TEST_KEY_ID})) as has`.execute(
      this.#db,
    );
    return rows[0]!.has;
  }

  /** Screens that have been set aside since this moment or longer. */
  async setAside(since: Date): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from screen_place where set_aside_since <= ${since}`.execute(this.#db);
    return rows[0]!.count;
  }

  /** Leaves screens where they are until a time, because a model's daily result that their rules read is awaited. */
  async wait(
    screenIds: readonly string[],
    { market, version }: ServedVersion,
    { now, retryAt }: { now: Date; retryAt: Date },
  ): Promise<void> {
    if (screenIds.length === 0) return;
    await this.#db
      .updateTable('screen_place')
      .set({
        awaited_version: version,
        awaited_since: sql<Date>`case when awaited_version = ${version} then awaited_since else ${now} end`,
        retry_at: retryAt,
      })
      .where('market', '=', market)
      .where('screen_id', 'in', screenIds)
      .execute();
  }

  /**
   * Moves screens, records their changes and tells their keys, in one transaction. A day that comes again, corrected, is told again only
   * if other stocks enter or leave. Returns the ids of the screens that moved.
   */
  async move(moves: readonly Move[], served: ServedVersion, now: Date): Promise<string[]> {
    const byId = new Map(moves.map((move) => [move.screen_id, move]));
    return this.#outbox.inTransaction(async (tx) => {
      const moved = await moveScreens(tx, moves, served, now);
      const told = moved.filter(({ is_news }) => is_news);
      await this.#outbox.put(
        tx,
        told.map((screen) => changeOf(screen, byId.get(screen.screen_id)!, served, now)),
      );
      return moved.map(({ screen_id }) => screen_id);
    });
  }
}

interface MovedScreen {
  screen_id: string;
  api_key_id: string;
  end_user: string;
  /** Whether other stocks enter or leave than was known of the day. */
  is_news: boolean;
}

function changeOf(
  { screen_id, api_key_id, end_user }: MovedScreen,
  { version, as_of, entered, left }: Move,
  { market }: ServedVersion,
  at: Date,
) {
  const counts = { entered: entered.length, left: left.length };
  const data = {
    screen_id,
    version,
    end_user,
    market: market as 'real' | 'synthetic',
    as_of: as_of!,
    ...counts,
  };
  return eventFor('screens', api_key_id, { type: 'screen.changed', data, at });
}

/**
 * Moves screens and records their changes in one statement, each screen entirely or not at all. A screen is left alone if it
 * was deleted or replaced since its result was computed, or if another copy has moved it. Days after the new place are
 * removed: the market does not have them any more.
 */
async function moveScreens(
  tx: Kysely<ScreensTables>,
  moves: readonly Move[],
  { market, version }: ServedVersion,
  now: Date,
): Promise<MovedScreen[]> {
  const { rows } = await sql<MovedScreen>`
    with sent as (
      select * from json_to_recordset(${JSON.stringify(moves)}::json) as move(
        screen_id text, version int, as_of text, tickers text[], previous_as_of text, previous_tickers text[],
        failure text, entered json, "left" json, revision int, is_set_aside boolean, retry_at timestamptz)
    ),
    current as (
      select sent.*, screen.api_key_id, screen.end_user,
        json_array_length(sent.entered) + json_array_length(sent."left") > 0 as has_changes,
        sent.failure is null and sent.previous_as_of is not null
          and (${tickersIn('sent.entered')} is distinct from ${tickersIn('before.entered')}
            or ${tickersIn('sent.left')} is distinct from ${tickersIn('before.left')}) as is_news
      from sent join screen on screen.screen_id = sent.screen_id and screen.version = sent.version
        left join screen_change before
          on before.screen_id = sent.screen_id and before.market = ${market} and before.as_of = sent.as_of
      for key share of screen
    ),
    moved as (
      insert into screen_place as place
        (screen_id, market, version, dataset_version, as_of, tickers, previous_as_of, previous_tickers, failure, revision,
         awaited_version, awaited_since, retry_at, set_aside_since)
      select screen_id, ${market}, version, ${version}, as_of, tickers, previous_as_of, previous_tickers, failure, revision,
        case when retry_at is not null then ${version} end, case when retry_at is not null then ${now}::timestamptz end, retry_at,
        case when is_set_aside then ${now}::timestamptz end
      from current
      on conflict (screen_id, market) do update set
        version = excluded.version, dataset_version = excluded.dataset_version, as_of = excluded.as_of,
        tickers = excluded.tickers, previous_as_of = excluded.previous_as_of,
        previous_tickers = excluded.previous_tickers, failure = excluded.failure, revision = excluded.revision,
        awaited_since =
          case when place.awaited_version = excluded.awaited_version then place.awaited_since else excluded.awaited_since end,
        awaited_version = excluded.awaited_version, retry_at = excluded.retry_at,
        set_aside_since = case
          when place.version = excluded.version and excluded.set_aside_since is not null
            then coalesce(place.set_aside_since, excluded.set_aside_since)
          else excluded.set_aside_since end
      where place.revision = excluded.revision - 1
      returning screen_id
    ),
    recorded as (
      insert into screen_change
        (screen_id, market, as_of, previous_as_of, version, dataset_version, entered, "left", recorded_at)
      select screen_id, ${market}, as_of, previous_as_of, version, ${version}, entered, "left", ${now}
      from current join moved using (screen_id)
      where has_changes
      on conflict (screen_id, market, as_of) do update set
        previous_as_of = excluded.previous_as_of, version = excluded.version,
        dataset_version = excluded.dataset_version, entered = excluded.entered, "left" = excluded."left"
    ),
    removed as (
      delete from screen_change as change using current join moved using (screen_id)
      where change.screen_id = current.screen_id and change.market = ${market} and current.failure is null
        and (change.as_of > current.as_of
          or change.as_of = current.as_of and current.previous_as_of is not null and not has_changes)
    )
    select screen_id, api_key_id, end_user, is_news from current join moved using (screen_id)`.execute(tx);
  return rows;
}

/** The stocks of a list of changes as one text; null if there are none. */
function tickersIn(column: string): RawBuilder<string | null> {
  return sql`(select string_agg(member ->> 'ticker', ',' order by member ->> 'ticker')
    from json_array_elements(${sql.ref(column)}) member)`;
}
