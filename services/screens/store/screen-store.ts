import { sql, type Kysely, type Selectable } from 'kysely';
import type { Rules } from '#fields/rules/rules.ts';
import type { ScreenUniverse } from '#proto/saring/screens/v1/screens.ts';
import type { Position } from '#platform/paging/cursor.ts';
import { isAfter, isOwn, isReadable, requireRoom, type Caller, type OwnershipLimits } from './owned-rows.ts';
import type { ScreenTable, ScreensTables, ScreenVersionTable } from './tables.ts';

/** A screen in one of its versions, and who was in it last in the served market. */
export type ScreenRow = Selectable<ScreenTable> &
  Pick<Selectable<ScreenVersionTable>, keyof SaidContent | 'universe' | 'made_at'> & {
    members_as_of: string | null;
    members: number | null;
    failure: string | null;
  };

/** Rules, or a model with its parameters; the others are null. */
export interface SaidContent {
  rules: Rules | null;
  model_id: string | null;
  params: Record<string, unknown> | null;
}

/** What a version of a screen says. */
export interface ScreenContent extends SaidContent {
  name: string;
  shared: boolean;
  universe: ScreenUniverse | null;
}

interface NewScreen extends Caller, ScreenContent {
  screen_id: string;
  created_at: Date;
}

/** A screen that is set aside where its fields take long to compute is followed seconds later, and tells its owner nothing. */
const LASTING_FAILURE = sql<string | null>`
  case when place.set_aside_since > now() - interval '10 seconds' then null else place.failure end`;

/** A text that cannot be an id is not queried: the database would report a NUL in it as a bug of this service. */
const SCREEN_ID = /^scr_[0-9a-f]{24}$/;

/** The tables `screen` and `screen_version`. `market` is the served one; the members of a screen depend on it. */
export class ScreenStore {
  readonly #db: Kysely<ScreensTables>;

  constructor(db: Kysely<ScreensTables>) {
    this.#db = db;
  }

  /**
   * Inserts version 1.
   * @throws ServiceError invalid_request that names a limit which it would exceed
   */
  insert(
    { rules, model_id, params, universe, ...screen }: NewScreen,
    limits: OwnershipLimits,
  ): Promise<void> {
    const { screen_id, created_at: made_at } = screen;
    return this.#db.transaction().execute(async (tx) => {
      await requireRoom(tx, 'screen', screen, limits);
      await tx
        .insertInto('screen')
        .values({ ...screen, version: 1 })
        .execute();
      const version = { screen_id, version: 1, ...asJson({ rules, model_id, params, universe }), made_at };
      await tx.insertInto('screen_version').values(version).execute();
    });
  }

  /** Newest first. */
  list(
    caller: Caller,
    market: string | undefined,
    after: Position | undefined,
    limit: number,
  ): Promise<ScreenRow[]> {
    return this.#read(market)
      .whereRef('screen_version.version', '=', 'screen.version')
      .where(isReadable('screen', caller))
      .$if(after !== undefined, (query) => query.where(isAfter('screen', after!)))
      .orderBy('screen.created_at', 'desc')
      .orderBy('screen.screen_id', 'desc')
      .limit(limit)
      .execute();
  }

  /**
   * Undefined also if the caller may not read it.
   * @param version the newest if undefined
   */
  async find(
    id: string,
    caller: Caller,
    { market, version }: { market?: string | undefined; version?: number | undefined } = {},
  ): Promise<ScreenRow | undefined> {
    if (!SCREEN_ID.test(id)) return undefined;
    return this.#read(market)
      .where('screen.screen_id', '=', id)
      .where(isReadable('screen', caller))
      .where('screen_version.version', '=', version ?? sql.ref<number>('screen.version'))
      .executeTakeFirst();
  }

  /**
   * Makes the next version.
   * @param expected the version that the caller has read; any if undefined
   * @returns whether the caller owns the screen and it has the expected version
   */
  replace(
    id: string,
    { rules, model_id, params, universe, ...change }: ScreenContent,
    expected: number | undefined,
    { caller, now }: { caller: Caller; now: Date },
  ): Promise<boolean> {
    if (!SCREEN_ID.test(id)) return Promise.resolve(false);
    return this.#db.transaction().execute(async (tx) => {
      const replaced = await tx
        .updateTable('screen')
        .set((screen) => ({ ...change, version: screen('version', '+', 1) }))
        .where('screen_id', '=', id)
        .where(isOwn('screen', caller))
        .$if(expected !== undefined, (query) => query.where('version', '=', expected!))
        .returning('version')
        .executeTakeFirst();
      if (!replaced) return false;
      const version = {
        screen_id: id,
        ...replaced,
        ...asJson({ rules, model_id, params, universe }),
        made_at: now,
      };
      await tx.insertInto('screen_version').values(version).execute();
      return true;
    });
  }

  /** Deletes everything of a screen. False if the caller does not own it. */
  async delete(id: string, caller: Caller): Promise<boolean> {
    if (!SCREEN_ID.test(id)) return false;
    const { numDeletedRows } = await this.#db
      .deleteFrom('screen')
      .where('screen_id', '=', id)
      .where(isOwn('screen', caller))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  #read(market: string | undefined) {
    return this.#db
      .selectFrom('screen')
      .innerJoin('screen_version', 'screen_version.screen_id', 'screen.screen_id')
      .leftJoin('screen_place as place', (join) =>
        join
          .onRef('place.screen_id', '=', 'screen.screen_id')
          .onRef('place.version', '=', 'screen.version')
          .on('place.market', '=', market ?? ''),
      )
      .selectAll('screen')
      .select(['screen_version.version', 'rules', 'model_id', 'params', 'universe', 'made_at'])
      .select('place.as_of as members_as_of')
      .select(LASTING_FAILURE.as('failure'))
      .select(
        sql<number | null>`case when place.as_of is not null then cardinality(place.tickers) end`.as(
          'members',
        ),
      );
  }
}

function asJson({ model_id, ...said }: SaidContent & Pick<ScreenContent, 'universe'>) {
  const text = (value: object | null) => value && JSON.stringify(value);
  return { model_id, rules: text(said.rules), params: text(said.params), universe: text(said.universe) };
}
