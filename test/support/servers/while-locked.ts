import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely, type RawBuilder } from 'kysely';

const TALK_PAUSE_MS = 1_000;

/** Takes a lock with this statement, does the work, and releases the lock. */
export async function whileLocked<Tables, T>(
  database: Kysely<Tables>,
  lock: RawBuilder<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.transaction().execute(async (holder) => {
    await lock.execute(holder);
    locked.resolve();
    const isReleased = released.promise.then(() => true);
    // The pool ends a connection that has been silent for seconds, and the lock with it.
    while (!(await Promise.race([isReleased, sleep(TALK_PAUSE_MS, false)])))
      await sql`select 1`.execute(holder);
  });
  await Promise.race([locked.promise, holding]);
  try {
    return await work();
  } finally {
    released.resolve();
    await holding;
  }
}

/**
 * How many statements that match this pattern wait for a lock. They have started, so their snapshot of the database is fixed.
 */
export async function statementsBlocked<Tables>(database: Kysely<Tables>, pattern: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where pid <> pg_backend_pid() and wait_event_type = 'Lock' and query like ${pattern}`.execute(database);
  return rows[0]!.count;
}
