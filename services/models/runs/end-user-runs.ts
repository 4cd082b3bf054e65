import type { Erasure, StoredItem } from '#proto/saring/end_users/v1/end_users.ts';
import { SimulatedPicks } from '#proto/saring/wire/v1/simulation.ts';
import { erasureOf, storedItem, type EndUserData, type EndUserOf } from '#shared/end-users/end-user-data.ts';
import type { Backfills } from '../backfills/backfills.ts';
import type { LiveTier } from '../nats/live-tier.ts';
import type { Runs } from './runs.ts';
import type { EndUserRunStore } from '../store/end-user-run-store.ts';
import type { RunRow } from '../store/tables.ts';

interface EndUserRunsDependencies {
  endUserStore: EndUserRunStore;
  runs: Pick<Runs, 'cancel'>;
  backfills: Pick<Backfills, 'cancel'>;
  live: Pick<LiveTier, 'find' | 'erase'>;
}

const picksOf = ({ picks }: RunRow) => picks && SimulatedPicks.decode(picks);

/** Runs that are removed at a time. */
const BATCH = 100;
const RECORD_REASON =
  'the record of picks is sealed and cannot change. Its entries name the job and the key, and no end user';

/**
 * The runs of an end user with the results that are still held, and its backfills.
 *
 * An erasure cancels what is unfinished. A run counts as pending until its worker has stopped and the usage ledger has its end: both
 * still need the row.
 */
export class EndUserRuns implements EndUserData {
  readonly #deps: EndUserRunsDependencies;

  constructor(deps: EndUserRunsDependencies) {
    this.#deps = deps;
  }

  async *stored(of: EndUserOf): AsyncGenerator<StoredItem> {
    const { endUserStore: store } = this.#deps;
    for await (const run of store.runs(of))
      yield storedItem('runs', { ...run, picks: picksOf(run), result: await this.#result(run) });
    for await (const backfill of store.backfills(of)) {
      yield storedItem('backfills', backfill);
      for await (const { result_json, ...page } of store.pages(backfill))
        yield storedItem('backfill_days', {
          ...page,
          result: result_json && (JSON.parse(result_json) as unknown),
        });
    }
  }

  async erase(of: EndUserOf): Promise<Erasure> {
    const { endUserStore: store, runs, backfills, live } = this.#deps;
    for (const { id, api_key_id } of await store.runningBackfills(of)) await backfills.cancel(id, api_key_id);
    for (const { id, api_key_id } of await store.unfinishedRuns(of)) await runs.cancel(id, api_key_id);
    let [erased, recorded] = [0, 0];
    for (;;) {
      const settled = await store.settledRuns(of, BATCH);
      if (settled.length === 0) break;
      // Results first: without the row nobody would find them again.
      for (const jobId of settled) await live.erase(jobId);
      recorded += (await store.removeRuns(settled)).recorded;
      erased += settled.length;
    }
    const counts = { runs: erased, backfills: await store.removeBackfills(of) };
    const kept = [{ kind: 'record_entries', count: recorded, reason: RECORD_REASON }];
    return { ...erasureOf(counts, kept), pending: await store.countRuns(of) };
  }

  async #result({ job_id, status }: RunRow): Promise<unknown> {
    const held = status === 'succeeded' ? await this.#deps.live.find(job_id) : undefined;
    return held?.result_json ? (JSON.parse(Buffer.from(held.result_json).toString()) as unknown) : null;
  }
}
