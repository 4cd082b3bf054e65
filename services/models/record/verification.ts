import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordStore, RunOnRecord } from '../store/record-store.ts';
import {
  type Entry,
  type Head,
  mistakeIn,
  NO_HEAD,
  type RunBody,
  type VersionBody,
} from '../store/record-chain.ts';

const BATCH = 500;
/** Problems reported. The first ones are enough. */
const MAX_PROBLEMS = 100;

interface Verification {
  entries: number;
  runs: number;
  picks: number;
  head: Head;
  /** Descriptions of what is wrong, at most a hundred; empty if the record is intact. */
  problems: string[];
}

/**
 * Reads the whole record and finds entries that were altered, removed or inserted without this service. It computes
 * every seal again, compares every run row with its entry, and decides again whether each run counts. If the newest
 * entries were removed and no run row refers to them, only a `known` head reveals it.
 */
export async function verify(
  store: Pick<RecordStore, 'entriesAfter' | 'runsOnRecordAfter' | 'secret'>,
  known?: Head,
): Promise<Verification> {
  const walk = new Walk(store.secret, known);
  // Read the run rows before the entries. Otherwise an entry written in between would seem to be missing.
  const expected = new Map<number, RunOnRecord>();
  for (let after: { seq: number; jobId: string } = { seq: 0, jobId: '' }; ;) {
    const batch = await store.runsOnRecordAfter(after, BATCH);
    for (const run of batch) {
      // Two rows that refer to one entry cannot both be right.
      if (expected.has(run.seq))
        walk.note(`runs ${expected.get(run.seq)!.job_id} and ${run.job_id} name one entry`);
      expected.set(run.seq, run);
    }
    if (batch.length < BATCH) break;
    const { seq, job_id } = batch.at(-1)!;
    after = { seq, jobId: job_id };
  }
  for (;;) {
    const batch = await store.entriesAfter(walk.last, BATCH);
    for (const entry of batch) walk.take(entry, expected.get(entry.seq));
    if (batch.length < BATCH) break;
    await nextTurn();
  }
  return walk.outcome(expected);
}

class Walk {
  readonly #secret: string;
  readonly #known: Head | undefined;
  readonly #problems: string[] = [];
  readonly #newestDays = new Map<string, string>();
  readonly #met = new Set<number>();
  #head: Head = NO_HEAD;
  #entries = 0;
  #runs = 0;
  #picks = 0;
  #isKnownMet: boolean;

  constructor(secret: string, known: Head | undefined) {
    this.#secret = secret;
    this.#known = known;
    this.#isKnownMet = known === undefined || known.seq === 0;
  }

  get last(): number {
    return this.#head.seq;
  }

  note(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }

  /** @param expected what a run row says about this entry */
  take(entry: Entry, expected: RunOnRecord | undefined): void {
    const mistake = mistakeIn(entry, this.#head, this.#secret);
    if (mistake) this.note(mistake);
    const { seq, hash, kind, body } = entry;
    if (kind === 'version') this.#served(body as VersionBody);
    if (kind === 'run') this.#countRun(seq, body as RunBody);
    if (expected) this.#compare(entry, expected);
    if (this.#known?.seq === seq) {
      this.#isKnownMet = true;
      if (this.#known.hash !== hash) this.note(`entry ${seq} is not the one that the given head names`);
    }
    this.#entries++;
    this.#head = { seq, hash };
  }

  outcome(expected: ReadonlyMap<number, RunOnRecord>): Verification {
    for (const [seq, { job_id }] of expected)
      if (!this.#met.has(seq)) this.note(`entry ${seq} of run ${job_id} is missing`);
    if (!this.#isKnownMet)
      this.note(
        `entry ${this.#known!.seq}, which the given head names, is missing: newest entries were removed`,
      );
    const [entries, runs, picks, head] = [this.#entries, this.#runs, this.#picks, this.#head];
    return { entries, runs, picks, head, problems: this.#problems };
  }

  #served({ dataset_kind, last_date }: VersionBody): void {
    if (last_date > (this.#newestDays.get(dataset_kind) ?? '')) this.#newestDays.set(dataset_kind, last_date);
  }

  #countRun(seq: number, { dataset_kind, as_of, last_date, counts, picks }: RunBody): void {
    this.#runs++;
    this.#picks += picks.length;
    const isNewest = as_of === last_date && as_of >= (this.#newestDays.get(dataset_kind) ?? '');
    if (counts !== isNewest)
      this.note(`entry ${seq} ${counts ? 'counts' : 'does not count'}, against what was served before it`);
  }

  #compare({ seq, hash, kind, job_id, body }: Entry, expected: RunOnRecord): void {
    this.#met.add(seq);
    const isSame =
      kind === 'run' &&
      job_id === expected.job_id &&
      hash === expected.hash &&
      (body as RunBody).picks.length === expected.picks;
    if (!isSame) this.note(`entry ${seq} is not the one that run ${expected.job_id} wrote`);
  }
}
