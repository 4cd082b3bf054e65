import { sql, type Generated, type Kysely, type Transaction } from 'kysely';
import type { Logger } from '../operations/logger.ts';
import type { Nats } from '../nats/connection.ts';
import { repeat } from '../process/repeat.ts';

const PUBLISH_TIMEOUT_MS = 2_000;
/** Published at once, and written or read by one statement. */
const BATCH = 200;
/** How soon a message goes out that a crash or an outage of NATS left behind. */
const SWEEP_PAUSE_MS = 1_000;
/** Messages that wait are counted up to here, so that counting costs the same however long an outage lasts. */
const COUNTED = 100_000;

/** A message that JetStream has not taken yet. */
interface OutboxTable {
  message_id: string;
  /** The order in which they were written. */
  seq: Generated<string>;
  subject: string;
  message: Buffer;
  written_at: Generated<Date>;
}

/** The tables of a service with an outbox. */
export interface OutboxTables {
  outbox: OutboxTable;
}

export interface OutboxMessage {
  /** The stream and the reader keep one of several messages with the same id. */
  message_id: string;
  subject: string;
  message: Uint8Array;
}

/** Creates the table; for use in a migration. */
export async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await sql`create table outbox (
    message_id text primary key,
    seq bigint generated always as identity unique,
    subject text not null,
    message bytea not null,
    written_at timestamptz not null default now()
  )`.execute(db);
}

interface OutboxDependencies<Tables extends OutboxTables> {
  database: Kysely<Tables>;
  log: Logger;
}

/**
 * Messages that are written in the same transaction as what they tell of, and published afterwards: nothing is told that did
 * not happen, and nothing that happened stays untold. A message may be published twice, by two copies of a service or after a
 * crash between the stream's answer and its removal. JetStream drops the second within minutes, and a reader must drop it later.
 */
export class Outbox<Tables extends OutboxTables> {
  readonly #database: Kysely<Tables>;
  readonly #log: Logger;
  #nats: Pick<Nats, 'js'> | undefined;
  #publishing: Promise<void> | undefined;
  #isMoreWaiting = false;

  constructor({ database, log }: OutboxDependencies<Tables>) {
    this.#database = database;
    this.#log = log;
  }

  /** Does work in a transaction, and publishes what it put once that is committed. */
  async inTransaction<Result>(work: (tx: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    const result = await this.#database.transaction().execute(work);
    this.#wake();
    return result;
  }

  /** Writes messages, which are published only if `tx` is committed. */
  async put(tx: Transaction<Tables>, messages: readonly OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const rows = messages.map(({ message, ...row }) => ({ ...row, message: Buffer.from(message) }));
    await tablesOf(tx)
      .insertInto('outbox')
      .values(rows)
      .onConflict((known) => known.doNothing())
      .execute();
  }

  /** Writes messages that tell of nothing in the database. */
  hold(messages: readonly OutboxMessage[]): Promise<void> {
    return this.inTransaction((tx) => this.put(tx, messages));
  }

  /** Publishes from now on. Until then messages wait. */
  publishTo(nats: Pick<Nats, 'js'>): void {
    this.#nats = nats;
    this.#wake();
  }

  /** Publishes what was left behind, again and again. Returns a function that stops it, and waits for work in progress. */
  start(): () => Promise<void> {
    const stop = repeat('publishing what the outbox holds', SWEEP_PAUSE_MS, () => this.#round(), this.#log);
    return async () => {
      await stop();
      await this.#publishing?.catch(() => {});
    };
  }

  /** How many messages wait, counted up to a bound, and the age of the oldest; 0 when none waits. */
  async state(): Promise<{ messages: number; oldestSeconds: number }> {
    const waiting = sql<number>`(select count(*)::int from (select from outbox limit ${COUNTED}) as counted)`;
    const oldest = sql<number | null>`(
      select extract(epoch from clock_timestamp() - written_at)::float8 from outbox order by seq limit 1
    )`;
    const { rows } = await sql<{ messages: number; oldest: number | null }>`
      select ${waiting} as messages, ${oldest} as oldest`.execute(this.#database);
    return { messages: rows[0]!.messages, oldestSeconds: rows[0]!.oldest ?? 0 };
  }

  /** A failure is left to the sweeper, which logs it. */
  #wake(): void {
    this.#round().catch(() => {});
  }

  /** One at a time. Whoever asks during a round gets another one after it. */
  #round(): Promise<void> {
    this.#isMoreWaiting = true;
    return (this.#publishing ??= this.#rounds().finally(() => (this.#publishing = undefined)));
  }

  async #rounds(): Promise<void> {
    while (this.#isMoreWaiting) {
      this.#isMoreWaiting = false;
      await this.#publishAll();
    }
  }

  /** Oldest first. Ends early when the stream takes nothing. */
  async #publishAll(): Promise<void> {
    const db = tablesOf(this.#database);
    for (let after = '0'; this.#nats !== undefined;) {
      const rows = await db
        .selectFrom('outbox')
        .select(['message_id', 'seq', 'subject', 'message'])
        .where('seq', '>', after)
        .orderBy('seq')
        .limit(BATCH)
        .execute();
      if (rows.length === 0) return;
      const outcomes = await Promise.allSettled(rows.map((row) => this.#publish(this.#nats!, row)));
      const taken = rows
        .filter((_, at) => outcomes[at]!.status === 'fulfilled')
        .map(({ message_id }) => message_id);
      if (taken.length > 0) await db.deleteFrom('outbox').where('message_id', 'in', taken).execute();
      if (taken.length === 0) throw (outcomes[0] as PromiseRejectedResult).reason;
      if (rows.length < BATCH) return;
      after = rows.at(-1)!.seq;
    }
  }

  async #publish({ js }: Pick<Nats, 'js'>, { message_id, subject, message }: OutboxMessage): Promise<void> {
    await js.publish(subject, message, { msgID: message_id, timeout: PUBLISH_TIMEOUT_MS });
  }
}

/** Kysely cannot infer the columns of a table that every `Tables` has. */
function tablesOf<Tables extends OutboxTables>(db: Kysely<Tables>): Kysely<OutboxTables> {
  return db as unknown as Kysely<OutboxTables>;
}
