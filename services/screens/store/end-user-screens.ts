import type { Kysely, Selectable } from 'kysely';
import { erasureOf, storedItem, type EndUserData } from '#shared/end-users/end-user-data.ts';
import { belongsTo, rowsOfEndUser } from '#shared/end-users/end-user-rows.ts';
import type { ScreensTables, ScreenTable, TrialTable, WatchlistTable } from './tables.ts';

/** What hangs on a screen, and goes with it. */
const PARTS = {
  versions: 'screen_version',
  places: 'screen_place',
  changes: 'screen_change',
} as const;

/** The screens and watchlists of an end user, also those that it shares, and what it has tried on past days. */
export function endUserScreens(db: Kysely<ScreensTables>): EndUserData {
  const partsOf = async (screenId: string) => {
    const parts = Object.entries(PARTS).map(async ([name, table]) => {
      const rows = await db.selectFrom(table).selectAll().where('screen_id', '=', screenId).execute();
      return [name, rows] as const;
    });
    return Object.fromEntries(await Promise.all(parts));
  };
  return {
    async *stored(of) {
      const screens = rowsOfEndUser<Selectable<ScreenTable>>(db, { table: 'screen', id: 'screen_id' }, of);
      for await (const screen of screens)
        yield storedItem('screens', { ...screen, ...(await partsOf(screen.screen_id)) });
      const lists = rowsOfEndUser<Selectable<WatchlistTable>>(
        db,
        { table: 'watchlist', id: 'watchlist_id' },
        of,
      );
      for await (const list of lists) yield storedItem('watchlists', list);
      const trials = rowsOfEndUser<Selectable<TrialTable>>(db, { table: 'trial', id: 'trial_id' }, of);
      for await (const trial of trials) yield storedItem('trials', trial);
    },
    erase: async (of) => {
      const screens = await db.deleteFrom('screen').where(belongsTo(of)).executeTakeFirstOrThrow();
      const watchlists = await db.deleteFrom('watchlist').where(belongsTo(of)).executeTakeFirstOrThrow();
      const trials = await db.deleteFrom('trial').where(belongsTo(of)).executeTakeFirstOrThrow();
      return erasureOf({
        screens: Number(screens.numDeletedRows),
        watchlists: Number(watchlists.numDeletedRows),
        trials: Number(trials.numDeletedRows),
      });
    },
  };
}
