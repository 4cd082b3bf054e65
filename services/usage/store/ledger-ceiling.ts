import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { commandEverywhere, rowsOfEveryNode, storedTable } from '#platform/clickhouse/cluster.ts';
import { askLedger } from './ledger-client.ts';
import type { LedgerTable } from './ledger-writer.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { repeat } from '#platform/process/repeat.ts';
import { pause } from '#platform/process/waiting.ts';

/** Large enough that a ceiling lowered by a million is reached within minutes, small enough for one mutation. */
const RUNS_PER_STEP = 10_000;
const STEP_DEADLINE_MS = 8_000;
/** On a new ClickHouse server the table does not exist yet, but this table does. */
const PARTS = `FROM system.parts WHERE active AND database = 'usage' AND table = {stored:String}`;
const RUN_TS = `fromUnixTimestamp64Milli({ts_ms:Int64}, 'UTC')`;
/**
 * The run and all older ones. The first half lets ClickHouse skip granules; the second half is the actual condition.
 */
const UP_TO = `ts <= ${RUN_TS} AND (ts, event_id) <= (${RUN_TS}, {event_id:String})`;

/** Limits the number of runs in a table of the ledger. Runs beyond the ceiling are removed, oldest first. */
export class LedgerCeiling {
  readonly #client: ClickHouseClient;
  readonly #runs: number;
  readonly #table: LedgerTable;
  readonly #runsPerStep: number;

  constructor(
    client: ClickHouseClient,
    runs: number,
    { runsPerStep = RUNS_PER_STEP, table = 'event' }: { runsPerStep?: number; table?: LedgerTable } = {},
  ) {
    this.#table = table;
    this.#client = client;
    this.#runs = runs;
    this.#runsPerStep = runsPerStep;
  }

  /**
   * Removes the oldest runs beyond the ceiling, at most `runsPerStep`. Returns whether there may be more.
   *
   * The last count before the removal decides: at least as many runs as the ceiling allows are younger than those
   * removed, even if rows were inserted, or removed by another process, since the first count.
   */
  async step(signal: AbortSignal): Promise<boolean> {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(STEP_DEADLINE_MS)]);
    if ((await this.#storedRows(ending)) <= this.#runs) return false;
    const beyond = (await this.#countRuns('true', {}, ending)) - this.#runs;
    if (beyond <= 0) return false;
    const youngest = await this.#runFromOldest(Math.min(beyond, this.#runsPerStep), ending);
    if (!youngest) return false;
    const younger = await this.#countRuns(`NOT (${UP_TO})`, { ...youngest }, ending);
    if (younger < this.#runs) return false;
    await this.#removeUpTo(youngest, ending);
    return beyond > this.#runsPerStep;
  }

  /** Includes replaced and removed rows that are still on the disk. Costs almost nothing. */
  async #storedRows(signal: AbortSignal): Promise<number> {
    const servers = await this.#askParts<{ n: string }>('SELECT toString(sum(rows)) AS n', {}, signal);
    return servers.reduce((sum, { n }) => sum + Number(n), 0);
  }

  async #countRuns(where: string, params: Record<string, unknown>, signal: AbortSignal): Promise<number> {
    const query = `SELECT count() AS n FROM usage.${this.#table} FINAL WHERE ${where}`;
    const [counted] = await this.#ask<{ n: number }>(query, params, signal);
    return counted?.n ?? 0;
  }

  /** @param place 1 is the oldest run */
  async #runFromOldest(place: number, signal: AbortSignal): Promise<RunPlace | undefined> {
    const [run] = await this.#ask<RunPlace>(
      `SELECT toUnixTimestamp64Milli(ts) AS ts_ms, event_id, toString(toYYYYMM(ts)) AS month
       FROM usage.${this.#table} FINAL ORDER BY ts, event_id LIMIT 1 OFFSET {before:UInt32}`,
      { before: place - 1 },
      signal,
    );
    return run;
  }

  /** All rows of a run have the same time and id, so removing a run never exposes an earlier state of it. */
  async #removeUpTo(run: RunPlace, signal: AbortSignal): Promise<void> {
    const stored = storedTable(this.#client, `usage.${this.#table}`);
    await commandEverywhere(this.#client, {
      query: `DELETE FROM ${stored} WHERE ${UP_TO}`,
      query_params: { ...run },
      abort_signal: signal,
    });
    // The DELETE only hides rows. Dropping the partitions of earlier months frees their space.
    const gone = await this.#askParts<{ id: string }>(
      'SELECT DISTINCT partition_id AS id',
      { month: run.month },
      signal,
    );
    for (const id of new Set(gone.map((part) => part.id))) {
      const query = `ALTER TABLE ${stored} DROP PARTITION ID '${id}'`;
      await commandEverywhere(this.#client, { query, abort_signal: signal });
    }
  }

  /** Restricted to months before `month` if it is given. */
  #askParts<Row>(select: string, params: { month?: string }, signal: AbortSignal): Promise<Row[]> {
    return rowsOfEveryNode<Row>(this.#client, {
      query: `${select} ${PARTS}${params.month === undefined ? '' : ' AND partition_id < {month:String}'}`,
      query_params: { ...params, stored: storedTable(this.#client, this.#table) },
      abort_signal: signal,
    });
  }

  #ask<Row>(query: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Row[]> {
    return askLedger<Row>(this.#client, query, params, { signal, deadlineMs: STEP_DEADLINE_MS });
  }
}

/** The position of a run in time order. */
interface RunPlace {
  ts_ms: number;
  event_id: string;
  /** Its partition, YYYYMM. */
  month: string;
}

const POLL_PAUSE_MS = 60_000;
/** Pause between two steps, so that ClickHouse can serve readers and the sink. */
const STEP_PAUSE_MS = 250;

/** Keeps the ledger under its ceiling, starting immediately. Returns a function that stops it. */
export function keepUnderCeiling(ceiling: LedgerCeiling, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lower = async () => {
    while (!signal.aborted && (await ceiling.step(signal))) {
      await pause(STEP_PAUSE_MS, signal);
    }
  };
  const stop = repeat('removing usage beyond the ceiling', POLL_PAUSE_MS, lower, log);
  return () => {
    stopping.abort();
    return stop();
  };
}
