import { sql, type Kysely, type Selectable } from 'kysely';
import { storable } from '#platform/wire/text-mistakes.ts';
import type { Delivery, Subject } from '../deliveries/delivery.ts';
import type { Problem, SourceFailure } from '../deliveries/source-failure.ts';
import type { FeedTables, FetchTable } from './tables.ts';

export type FetchRow = Selectable<FetchTable>;

export interface SubjectHistory {
  /** Failures since the last success, apart from fetches that the feed itself interrupted. */
  failures: number;
  problem: Problem | null;
  /** Whether one of these failures is that it brought another day's numbers: they may be served as its own. */
  isDoubted: boolean;
  lastEndedAt: Date | null;
  lastSuccessAt: Date | null;
}

/** Fetches that are considered when a subject is judged. */
const JUDGED_FETCHES = 500;

/** The table `fetch_log`: the log of everything that was asked for. */
export class FetchStore {
  readonly #db: Kysely<FeedTables>;

  constructor(db: Kysely<FeedTables>) {
    this.#db = db;
  }

  async begin(source: string, subject: Subject, at: Date): Promise<string> {
    const { id } = await this.#db
      .insertInto('fetch_log')
      .values({ source, subject, started_at: at, outcome: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async received(id: string, { bytes, rows, findings, digest }: Delivery): Promise<void> {
    await this.#db
      .updateTable('fetch_log')
      .set({
        bytes: String(bytes),
        rows: String(rows),
        findings: JSON.stringify(findings.map(storable)),
        digest,
      })
      .where('id', '=', id)
      .execute();
  }

  async published(
    id: string,
    end: { outcome: 'published' | 'unchanged'; version: string; rejected: number; findings: string[] },
    at: Date,
  ): Promise<void> {
    await this.#db
      .updateTable('fetch_log')
      .set({
        ended_at: at,
        outcome: end.outcome,
        dataset_version: end.version,
        rejected_rows: String(end.rejected),
        findings: sql`findings || ${JSON.stringify(end.findings.map(storable))}::jsonb`,
      })
      .where('id', '=', id)
      .execute();
  }

  async failed(ids: string[], failure: SourceFailure, at: Date): Promise<void> {
    if (ids.length === 0) return;
    await this.#db.updateTable('fetch_log').set(endOf(failure, at)).where('id', 'in', ids).execute();
  }

  /** Ends the fetches of a source that a killed process has left running. The caller holds the source. */
  async endAbandoned(source: string, failure: SourceFailure, at: Date): Promise<void> {
    await this.#db
      .updateTable('fetch_log')
      .set(endOf(failure, at))
      .where('source', '=', source)
      .where('outcome', '=', 'running')
      .execute();
  }

  async histories(source: string): Promise<Map<Subject, SubjectHistory>> {
    const rows = await this.#db
      .selectFrom('fetch_log')
      .select(['subject', 'outcome', 'problem', 'ended_at'])
      .where('source', '=', source)
      .where('outcome', '!=', 'running')
      .orderBy('id', 'desc')
      .limit(JUDGED_FETCHES)
      .execute();
    const histories = new Map<Subject, SubjectHistory>();
    for (const { subject, outcome, problem, ended_at } of rows) {
      const first = { failures: 0, problem, isDoubted: false, lastEndedAt: ended_at, lastSuccessAt: null };
      const known: SubjectHistory = histories.get(subject) ?? first;
      histories.set(subject, known);
      if (known.lastSuccessAt !== null) continue;
      if (outcome !== 'failed') known.lastSuccessAt = ended_at;
      else if (problem !== 'interrupted') known.failures++;
      if (problem === 'repeated_day') known.isDoubted = true;
    }
    return histories;
  }

  /** Another subject of the source that brought the same content, also one that is not published yet. */
  async sameContent(source: string, subject: Subject, digest: string): Promise<Subject | undefined> {
    if (digest === '') return undefined;
    const row = await this.#db
      .selectFrom('fetch_log')
      .select('subject')
      .where('source', '=', source)
      .where('digest', '=', digest)
      .where('subject', '!=', subject)
      .where('outcome', '!=', 'failed')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.subject;
  }

  /** The digest of what a subject last brought; undefined if it never brought anything that has one. */
  async lastDigest(source: string, subject: Subject): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('fetch_log')
      .select('digest')
      .where('source', '=', source)
      .where('subject', '=', subject)
      .where('outcome', 'in', ['published', 'unchanged'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.digest || undefined;
  }

  async hasBrought(source: string, digest: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('fetch_log')
      .select('id')
      .where('source', '=', source)
      .where('digest', '=', digest)
      .where('outcome', 'in', ['published', 'unchanged'])
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Lets the successful fetches of a subject count as failed: it is to be asked for again. */
  async doubt(source: string, subject: Subject, { problem, message }: SourceFailure): Promise<void> {
    await this.#db
      .updateTable('fetch_log')
      .set({ outcome: 'failed', problem, reason: message, digest: null })
      .where('source', '=', source)
      .where('subject', '=', subject)
      .where('outcome', 'in', ['published', 'unchanged'])
      .execute();
  }

  /** How many fetches began since, by source. */
  async counts(since: Date): Promise<Map<string, number>> {
    const rows = await this.#db
      .selectFrom('fetch_log')
      .select(['source', (fetch) => fetch.fn.countAll<string>().as('count')])
      .where('started_at', '>=', since)
      .groupBy('source')
      .execute();
    return new Map(rows.map(({ source, count }) => [source, Number(count)]));
  }

  /** Newest first. */
  list(
    {
      source,
      subject,
      outcome,
    }: {
      source?: string | undefined;
      subject?: string | undefined;
      outcome?: FetchRow['outcome'] | undefined;
    },
    limit: number,
  ): Promise<FetchRow[]> {
    return this.#db
      .selectFrom('fetch_log')
      .selectAll()
      .$if(source !== undefined, (query) => query.where('source', '=', source!))
      .$if(subject !== undefined, (query) => query.where('subject', '=', subject!))
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Removes fetches that began before this moment, at most `limit`. Returns how many it removed. */
  async purge(before: Date, limit: number): Promise<number> {
    const old = this.#db.selectFrom('fetch_log').select('id').where('started_at', '<', before).limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('fetch_log')
      .where('id', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

function endOf({ problem, message }: SourceFailure, at: Date) {
  return { ended_at: at, outcome: 'failed' as const, problem, reason: message };
}
