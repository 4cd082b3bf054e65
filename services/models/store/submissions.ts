import type { Kysely } from 'kysely';
import type { ModelsTables, RunRow } from './tables.ts';

/** Far longer than a submission is repeated, or than a statement that writes one can take. */
const KEPT_MS = 3_600_000;

/**
 * The table `submission`: the result of each submission, which a caller repeats until it knows the result. `insertRun`
 * writes it. The first to claim an id decides, even over a statement that is still in progress.
 */
export class Submissions {
  readonly #db: Kysely<ModelsTables>;

  constructor(db: Kysely<ModelsTables>) {
    this.#db = db;
  }

  /** The run that the submission has started, in its current state. */
  find(submissionId: string, apiKeyId: string): Promise<RunRow | undefined> {
    return this.#db
      .selectFrom('submission')
      .innerJoin('run', 'run.job_id', 'submission.job_id')
      .selectAll('run')
      .where('submission_id', '=', submissionId)
      .where('api_key_id', '=', apiKeyId)
      .executeTakeFirst();
  }

  /** From now on, nothing starts under this id. No effect if it has already started a run. */
  async refuse(submissionId: string, now: Date): Promise<void> {
    await this.#db
      .insertInto('submission')
      .values({ submission_id: submissionId, job_id: null, created_at: now })
      .onConflict((taken) => taken.doNothing())
      .execute();
  }

  /** Removes expired submissions. Returns how many. */
  async purge(now: Date, limit: number): Promise<number> {
    const before = new Date(now.getTime() - KEPT_MS);
    const old = this.#db
      .selectFrom('submission')
      .select('submission_id')
      .where('created_at', '<', before)
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('submission')
      .where('submission_id', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
