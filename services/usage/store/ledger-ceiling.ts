import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { commandEverywhere, rowsOfEveryNode, storedTable } from '#shared/clickhouse/cluster.ts';
import { askLedger } from './ledger-client.ts';
import type { Logger } from '#shared/logger.ts';
import { repeat } from '#shared/repeat.ts';
import { pause } from '#shared/waiting.ts';

/** Enough that a ceiling lowered by a million is reached within minutes, and little enough for one mutation. */
const RUNS_PER_STEP = 10_000;
const STEP_DEADLINE_MS = 8_000;
/** Of a ClickHouse that is new the table is missing, but not this. */
const PARTS = `FROM system.parts WHERE active AND database = 'usage' AND table = {stored:String}`;
const RUN_TS = `fromUnixTimestamp64Milli({ts_ms:Int64}, 'UTC')`;
/** The run and all that are older. The first half lets ClickHouse skip; the second one is the condition. */
const UP_TO = `ts <= ${RUN_TS} AND (ts, event_id) <= (${RUN_TS}, {event_id:String})`;

/** How far from the newest run the ledger reaches: beyond a number of runs the oldest ones are removed. */
export class LedgerCeiling {
  readonly #client: ClickHouseClient;
  readonly #runs: number;
  readonly #runsPerStep: number;

  constructor(client: ClickHouseClient, runs: number, runsPerStep = RUNS_PER_STEP) {
    this.#client = client;
    this.#runs = runs;
    this.#runsPerStep = runsPerStep;
  }

  /**
   * Removes the oldest runs beyond the ceiling, at most as many as a step may. Returns whether there may be more.
   *
   * The last look before the removal is the one that counts: so many runs are younger than what goes, whatever has
   * been inserted since the first look, or removed by another process.
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

  /** With those that are replaced or removed and still on the disk; costs nothing. */
  async #storedRows(signal: AbortSignal): Promise<number> {
    const servers = await this.#askParts<{ n: string }>('SELECT toString(sum(rows)) AS n', {}, signal);
    return servers.reduce((sum, { n }) => sum + Number(n), 0);
  }

  async #countRuns(where: string, params: Record<string, unknown>, signal: AbortSignal): Promise<number> {
    const query = `SELECT count() AS n FROM usage.event FINAL WHERE ${where}`;
    const [counted] = await this.#ask<{ n: number }>(query, params, signal);
    return counted?.n ?? 0;
  }

  /** The first run is the oldest one. */
  async #runFromOldest(place: number, signal: AbortSignal): Promise<RunPlace | undefined> {
    const [run] = await this.#ask<RunPlace>(
      `SELECT toUnixTimestamp64Milli(ts) AS ts_ms, event_id, toString(toYYYYMM(ts)) AS month
       FROM usage.event FINAL ORDER BY ts, event_id LIMIT 1 OFFSET {before:UInt32}`,
      { before: place - 1 },
      signal,
    );
    return run;
  }

  /** All rows of a run have its time and id: no earlier state comes to light. */
  async #removeUpTo(run: RunPlace, signal: AbortSignal): Promise<void> {
    const stored = storedTable(this.#client, 'usage.event');
    await commandEverywhere(this.#client, {
      query: `DELETE FROM ${stored} WHERE ${UP_TO}`,
      query_params: { ...run },
      abort_signal: signal,
    });
    // Rows are only hidden so far. A month that is over wholly gives back its space.
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

  /** Of months before `month`, where it is given. */
  #askParts<Row>(select: string, params: { month?: string }, signal: AbortSignal): Promise<Row[]> {
    return rowsOfEveryNode<Row>(this.#client, {
      query: `${select} ${PARTS}${params.month === undefined ? '' : ' AND partition_id < {month:String}'}`,
      query_params: { ...params, stored: storedTable(this.#client, 'event') },
      abort_signal: signal,
    });
  }

  #ask<Row>(query: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Row[]> {
    return askLedger<Row>(this.#client, query, params, { signal, deadlineMs: STEP_DEADLINE_MS });
  }
}

/** Where a run stands in the order of time. */
interface RunPlace {
  ts_ms: number;
  event_id: string;
  /** Its partition, YYYYMM. */
  month: string;
}

const LOOK_PAUSE_MS = 60_000;
/** Between two steps, in which ClickHouse serves readers and the sink. */
const STEP_PAUSE_MS = 250;

/** Keeps the ledger under its ceiling, beginning at once. Returns how to stop it. */
export function keepUnderCeiling(ceiling: LedgerCeiling, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lower = async () => {
    while (!signal.aborted && (await ceiling.step(signal))) {
      await pause(STEP_PAUSE_MS, signal);
    }
  };
  const stop = repeat('removing usage beyond the ceiling', LOOK_PAUSE_MS, lower, log);
  return () => {
    stopping.abort();
    return stop();
  };
}
