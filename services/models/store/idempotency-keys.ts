import type { Kysely } from 'kysely';
import { forgottenSince } from './insert-run.ts';
import type { ModelsTables, RunRow } from './tables.ts';

/** An idempotency key. It is unique within an API key and channel, so that callers never share one by accident. */
export interface KeyOfCaller {
  api_key_id: string;
  channel: string;
  key: string;
}

/** The table `idempotency_key`: the run that each key started. `insertRun` writes it. */
export class IdempotencyKeys {
  readonly #db: Kysely<ModelsTables>;

  constructor(db: Kysely<ModelsTables>) {
    this.#db = db;
  }

  /** The run that the key has started, in its current state, and the fingerprint of its submission. */
  async find(
    { api_key_id, channel, key }: KeyOfCaller,
    now: Date,
  ): Promise<{ run: RunRow; fingerprint: string } | undefined> {
    const found = await this.#db
      .selectFrom('idempotency_key as held')
      .innerJoin('run', 'run.job_id', 'held.job_id')
      .selectAll('run')
      .select('held.fingerprint')
      .where('held.api_key_id', '=', api_key_id)
      .where('held.channel', '=', channel)
      .where('held.key', '=', key)
      .where('held.created_at', '>', forgottenSince(now))
      .executeTakeFirst();
    if (!found) return undefined;
    const { fingerprint, ...run } = found;
    return { run, fingerprint };
  }

  /**
   * From now on, no submission with this key starts a run, including one in progress. Returns the run that one has
   * already started, as long as the key is remembered.
   */
  async close({ api_key_id, channel, key }: KeyOfCaller, now: Date): Promise<string | undefined> {
    const { job_id } = await this.#db
      .insertInto('idempotency_key')
      .values({ api_key_id, channel, key, fingerprint: '', job_id: null, created_at: now })
      // Waits for a concurrent statement that claims the key. Changes nothing, but makes the statement return the row.
      .onConflict((taken) => taken.columns(['api_key_id', 'channel', 'key']).doUpdateSet({ key }))
      .returning('job_id')
      .executeTakeFirstOrThrow();
    return job_id ?? undefined;
  }

  /** Removes expired keys. Returns how many. */
  async purge(now: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('idempotency_key')
      .select(['api_key_id', 'channel', 'key'])
      .where('created_at', '<=', forgottenSince(now))
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('idempotency_key')
      .where((row) =>
        row(row.refTuple('api_key_id', 'channel', 'key'), 'in', old.$asTuple('api_key_id', 'channel', 'key')),
      )
      // Keep a key that was claimed again in the meantime.
      .where('created_at', '<=', forgottenSince(now))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
