import { sql, type RawBuilder } from 'kysely';
import { removeSome } from './purge-expired.ts';
import { IDEMPOTENCY_KEPT_MS, idempotencyConflict } from '../wire/idempotency.ts';

/** Any Kysely, whatever its tables. */
type Database = Parameters<RawBuilder<unknown>['execute']>[0];

/** Far longer than a request is repeated, or than a statement that writes its row can take. */
const SUBMISSIONS_KEPT_MS = 3_600_000;
/** Rows removed by one statement, so that no statement holds its locks for long. */
const REMOVED_AT_ONCE = 500;

/** The ids under which a request makes at most one row. */
export interface Claims {
  /** Unique to this one request, which its caller repeats until it knows the result. */
  submissionId?: string | undefined;
  /** Chosen by the caller, valid for a day. */
  repeatable?: Repeatable | undefined;
}

/** An idempotency key, and the fingerprint by which a repetition of its request is recognised. */
interface Repeatable {
  key: string;
  fingerprint: string;
}

/**
 * The names of a service's tables. Both the table of keys and the table `submission` have the column `id` too, which is null
 * once nothing may be made under the claim any more.
 */
interface ClaimedTables<Owner> {
  /** The table of the rows that requests make. */
  rows: string;
  id: string;
  /** The table of idempotency keys. */
  keys: string;
  keyColumn: string;
  /** Columns within which a key is unique, so that callers never share one by accident. */
  owner: readonly (keyof Owner & string)[];
}

interface Made<Row> {
  row: Row;
  /** Whether an earlier request with the same idempotency key made the row. */
  replayed: boolean;
}

/**
 * Rows that are made once for each submission and each idempotency key. The first to claim an id decides, even over a
 * statement that is still in progress.
 */
export class ClaimedRows<Row extends object, Owner extends { api_key_id: string }> {
  readonly #db: Database;
  readonly #tables: ClaimedTables<Owner>;

  constructor(db: Database, tables: ClaimedTables<Owner>) {
    this.#db = db;
    this.#tables = tables;
  }

  /**
   * Writes a row and its claims in one statement, so that all of them exist or none. Writes nothing, and returns undefined,
   * once `until` has passed on the database's clock, or when a claim is taken or refused. Each claim is written only if the
   * previous one was: the submission first, so that a refused one does not use up the key. Of two concurrent statements, the
   * later one waits for the earlier one's claim and then sees it. If the earlier one fails after all, the later one may write
   * its row although its time is over; its caller then finds the row under the claim.
   */
  async insert(
    db: Database,
    row: Owner & Record<string, unknown>,
    { submissionId, repeatable }: Claims,
    { now, until }: { now: Date; until: Date },
  ): Promise<Row | undefined> {
    const { rows: table, keys } = this.#tables;
    const id = sql.ref(this.#tables.id);
    const made = { [this.#tables.id]: row[this.#tables.id], created_at: now };
    const inTime = sql`clock_timestamp() < ${until}`;
    const noClaim = sql`select ${row[this.#tables.id]}::text as ${id}`;
    const submitted =
      submissionId === undefined
        ? sql`${noClaim} where ${inTime}`
        : sql`${insertInto('submission', { submission_id: submissionId, ...made })} where ${inTime}
            on conflict (submission_id) do nothing returning ${id}`;
    const keyed =
      repeatable === undefined
        ? sql`${noClaim} from submitted`
        : sql`${insertInto(keys, { ...this.#keyOf(row, repeatable.key), fingerprint: repeatable.fingerprint, ...made })}
            from submitted on conflict (${this.#keyColumns}) do update
            set fingerprint = excluded.fingerprint, ${id} = excluded.${id}, created_at = excluded.created_at
            where ${sql.table(keys)}.created_at <= ${keysExpiredAt(now)} and ${inTime} returning ${id}`;
    const statement = sql<Row>`with "submitted" as (${submitted}), "keyed" as (${keyed})
      ${insertInto(table, row)} from keyed returning *`;
    return (await statement.execute(db)).rows[0];
  }

  /**
   * What kept a row from being written: the row that one of its claims has made. If there is none, the time was over. Then no
   * key is used up, and an earlier attempt of the same request that is still in progress is prevented from writing the row
   * after this response, unless the caller has left.
   * @throws ServiceError idempotency_conflict
   */
  async madeInstead(
    owner: Owner,
    { submissionId, repeatable }: Claims,
    { now, signal }: { now: Date; signal: AbortSignal },
  ): Promise<Made<Row> | undefined> {
    const own = await this.madeBySubmission(submissionId, owner.api_key_id);
    if (own) return { row: own, replayed: false };
    const earlier = await this.madeByKey(owner, repeatable, now);
    if (earlier) return earlier;
    if (submissionId === undefined || signal.aborted) return undefined;
    await this.refuse(submissionId, now);
    const meanwhile = await this.madeBySubmission(submissionId, owner.api_key_id);
    return meanwhile && { row: meanwhile, replayed: false };
  }

  /**
   * The row that the key has made, in its current state, until the key expires.
   * @throws ServiceError idempotency_conflict if the key made it for another request
   */
  async madeByKey(
    owner: Owner,
    repeatable: Repeatable | undefined,
    now: Date,
  ): Promise<Made<Row> | undefined> {
    if (!repeatable) return undefined;
    const { rows: table, id, keys } = this.#tables;
    const key = Object.entries(this.#keyOf(owner, repeatable.key));
    const isKey = key.map(([column, value]) => sql`${sql.ref(`claim.${column}`)} = ${value}`);
    const { rows } = await sql<Row & { fingerprint: string }>`
      select made.*, claim.fingerprint from ${sql.table(keys)} as claim join ${sql.table(table)} as made using (${sql.ref(id)})
      where claim.created_at > ${keysExpiredAt(now)} and ${sql.join(isKey, sql` and `)}`.execute(this.#db);
    if (rows[0] === undefined) return undefined;
    const { fingerprint, ...row } = rows[0];
    if (fingerprint !== repeatable.fingerprint) throw idempotencyConflict();
    return { row: row as unknown as Row, replayed: true };
  }

  /** The row that the submission has made, in its current state. */
  async madeBySubmission(submissionId: string | undefined, apiKeyId: string): Promise<Row | undefined> {
    if (submissionId === undefined) return undefined;
    const { rows: table, id } = this.#tables;
    const { rows } = await sql<Row>`
      select made.* from submission join ${sql.table(table)} as made using (${sql.ref(id)})
      where submission_id = ${submissionId} and api_key_id = ${apiKeyId}`.execute(this.#db);
    return rows[0];
  }

  /** From now on nothing is made under this id. Has no effect on a submission that has already made a row. */
  async refuse(submissionId: string, now: Date): Promise<void> {
    const refused = { submission_id: submissionId, [this.#tables.id]: null, created_at: now };
    await sql`${insertInto('submission', refused)} on conflict do nothing`.execute(this.#db);
  }

  /**
   * From now on, no request with this key makes a row, including one in progress. Returns the id of the row that one has
   * already made, as long as the key is remembered.
   */
  async close(owner: Owner, key: string, now: Date): Promise<string | undefined> {
    const { id, keys } = this.#tables;
    const closed = { ...this.#keyOf(owner, key), fingerprint: '', [id]: null, created_at: now };
    // Waits for a concurrent statement that claims the key. Changes nothing, but makes the statement return the row.
    const { rows } = await sql<{ made: string | null }>`${insertInto(keys, closed)}
      on conflict (${this.#keyColumns}) do update set fingerprint = ${sql.table(keys)}.fingerprint
      returning ${sql.ref(id)} as made`.execute(this.#db);
    return rows[0]!.made ?? undefined;
  }

  /** Removes expired claims, in small steps. Their rows stay. `signal` ends it between two steps. */
  async removeExpired(now: Date, signal: AbortSignal): Promise<void> {
    const submissionsFrom = new Date(now.getTime() - SUBMISSIONS_KEPT_MS);
    const limit = REMOVED_AT_ONCE;
    const expired = [
      {
        table: this.#tables.keys,
        key: this.#keyNames,
        where: sql`created_at <= ${keysExpiredAt(now)}`,
        limit,
      },
      { table: 'submission', key: ['submission_id'], where: sql`created_at < ${submissionsFrom}`, limit },
    ];
    for (const some of expired) while (!signal.aborted && (await removeSome(this.#db, some)) === limit);
  }

  get #keyNames(): string[] {
    return [...this.#tables.owner, this.#tables.keyColumn];
  }

  get #keyColumns(): RawBuilder<unknown> {
    return sql.join(this.#keyNames.map((column) => sql.ref(column)));
  }

  #keyOf(owner: Owner, key: string): Record<string, unknown> {
    const columns = this.#tables.owner.map((column) => [column, owner[column]] as const);
    return { ...Object.fromEntries(columns), [this.#tables.keyColumn]: key };
  }
}

/** Keys that were claimed at this time or before have expired. */
export function keysExpiredAt(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEPT_MS);
}

/** The beginning of an insert that takes the row from a query instead of `values`. */
function insertInto(table: string, row: object): RawBuilder<unknown> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) select ${sql.join(Object.values(row))}`;
}
