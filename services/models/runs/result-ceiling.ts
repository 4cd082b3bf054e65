import type { Logger } from '#platform/operations/logger.ts';
import type { LiveTier } from '../nats/live-tier.ts';
import type { RunStore } from '../store/run-store.ts';

interface ResultCeilingDependencies {
  live: Pick<LiveTier, 'jobs' | 'forget'>;
  store: Pick<RunStore, 'ownersOf'>;
  log: Logger;
  /** How many results are kept. */
  ceiling: number;
}

/** A result that is held, and the key that it belongs to. */
export interface StoredResult {
  job_id: string;
  api_key_id: string;
  finished_at: Date | null;
}

/** Keeps the number of live results at its ceiling. A burst of one key removes that key's results and nobody else's. */
export class ResultCeiling {
  readonly #deps: ResultCeilingDependencies;
  #work: Promise<void> | undefined;
  #isRequestedAgain = false;

  constructor(deps: ResultCeilingDependencies) {
    this.#deps = deps;
  }

  /** Removes what is too much. Calls while it works lead to one more look. Never throws: the next result looks again. */
  keep(): Promise<void> {
    if (this.#work) this.#isRequestedAgain = true;
    return (this.#work ??= this.#keep().finally(() => (this.#work = undefined)));
  }

  async #keep(): Promise<void> {
    const { live, store, log, ceiling } = this.#deps;
    do {
      this.#isRequestedAgain = false;
      try {
        const held = await live.jobs();
        if (held.size <= ceiling) continue;
        const owned = await store.ownersOf([...held]);
        for (const jobId of tooMany(owned, ceiling)) await live.forget(jobId);
      } catch (error) {
        log.warn({ reason: (error as Error).message }, 'live results not limited yet');
      }
    } while (this.#isRequestedAgain);
  }
}

/** The jobs whose results go: again and again the oldest of the key that holds the most, until `ceiling` are left. */
export function tooMany(held: readonly StoredResult[], ceiling: number): string[] {
  const age = ({ finished_at }: StoredResult) => finished_at?.getTime() ?? Infinity;
  const byKey = new Map<string, StoredResult[]>();
  for (const result of held.toSorted((a, b) => age(a) - age(b)))
    byKey.set(result.api_key_id, [...(byKey.get(result.api_key_id) ?? []), result]);
  const removed: string[] = [];
  while (held.length - removed.length > ceiling) {
    const largest = [...byKey.values()].reduce((most, one) => (one.length > most.length ? one : most));
    removed.push(largest.shift()!.job_id);
  }
  return removed;
}
