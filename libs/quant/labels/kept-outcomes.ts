import type { FeatureTable } from '../features/feature-table.ts';
import {
  type Barriers,
  lastDecidedDay,
  type Outcomes,
  outcomesAt,
  tripleBarrier,
  UNDECIDED,
  undecidedOutcomes,
} from './triple-barrier.ts';

/**
 * Maximum number of barrier sets cached for one market: the models' defaults and two more. Each takes 13 bytes for each row.
 */
const KEPT_BARRIERS = 4;

const markets = new WeakMap<FeatureTable, Map<string, KeptOutcomes>>();

/** Outcomes for some barriers, that the threads of a process decide together. */
export interface SharedOutcomes {
  barriers: Barriers;
  outcomes: Outcomes;
}

/** From now on, outcomes of this market for these barriers are read from and written to `outcomes`, like in other threads. */
export function shareOutcomes(table: FeatureTable, shared: readonly SharedOutcomes[]): void {
  markets.set(
    table,
    new Map(
      shared.map(({ barriers, outcomes }) => [keyOf(barriers), new KeptOutcomes(table, barriers, outcomes)]),
    ),
  );
}

/** Returns the cached outcomes of a market for these barriers. The cache is filled as rows are requested. */
export function keptOutcomes(
  table: FeatureTable,
  { targetGain, stopLoss, horizonDays }: Barriers,
): KeptOutcomes {
  const ofMarket = markets.get(table) ?? new Map<string, KeptOutcomes>();
  markets.set(table, ofMarket);
  const key = keyOf({ targetGain, stopLoss, horizonDays });
  const kept = ofMarket.get(key) ?? new KeptOutcomes(table, { targetGain, stopLoss, horizonDays });
  ofMarket.delete(key);
  ofMarket.set(key, kept);
  for (const oldest of ofMarket.keys()) if (ofMarket.size > KEPT_BARRIERS) ofMarket.delete(oldest);
  return kept;
}

function keyOf({ targetGain, stopLoss, horizonDays }: Barriers): string {
  return [targetGain, stopLoss, horizonDays].join();
}

/**
 * Outcomes of rows of a feature table, each computed once. The outcome of a position that must have been sold is the same on
 * every later day, so runs of different days can share it. A row whose position may still be open is rejected: its outcome
 * would depend on the day of the first request.
 */
export class KeptOutcomes {
  readonly #table: FeatureTable;
  readonly #barriers: Barriers;
  readonly #all: Outcomes;

  constructor(table: FeatureTable, barriers: Barriers, all = undecidedOutcomes(table.rowCount)) {
    this.#table = table;
    this.#barriers = barriers;
    this.#all = all;
  }

  /**
   * Outcomes of these rows, in their order, as known at the end of `lastDay`.
   * @throws RangeError when a position may be sold later
   */
  of(rows: Uint32Array, lastDay: number): Outcomes {
    this.#decide(rows, lastDay);
    return outcomesAt(this.#all, rows);
  }

  #decide(rows: Uint32Array, lastDay: number): void {
    const { panel, columns } = this.#table;
    const { day } = panel.columns;
    const { exitDay } = this.#all;
    const lastDecided = lastDecidedDay(lastDay, this.#barriers);
    const missing = new Uint32Array(rows.length);
    let count = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      if (day[columns.panelRow[row]!]! > lastDecided)
        throw new RangeError(`the position of row ${row} may be sold after day ${lastDay}`);
      if (Atomics.load(exitDay, row) === UNDECIDED) missing[count++] = row;
    }
    if (count > 0) this.#keep(missing.subarray(0, count), lastDay);
  }

  #keep(rows: Uint32Array, lastDay: number): void {
    const { panel, columns } = this.#table;
    const ticker = Uint16Array.from(rows, (row) => columns.ticker[row]!);
    const panelRow = rows.map((row) => columns.panelRow[row]!);
    const { filled, won, stopped, exitDay, netReturn } = this.#all;
    const decided = tripleBarrier(panel, { ticker, panelRow }, this.#barriers, lastDay);
    for (const [i, row] of rows.entries()) {
      filled[row] = decided.filled[i]!;
      won[row] = decided.won[i]!;
      stopped[row] = decided.stopped[i]!;
      netReturn[row] = decided.netReturn[i]!;
      // Last, and for all threads to see: it says that the other columns are decided.
      Atomics.store(exitDay, row, decided.exitDay[i]!);
    }
  }
}
