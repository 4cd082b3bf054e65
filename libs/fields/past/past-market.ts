import type { MayBeUnwanted } from '#foundation/unwanted.ts';
import {
  tripleBarrier,
  UNDECIDED,
  undecidedOutcomes,
  type Barriers,
  type Outcomes,
} from '#quant/labels/triple-barrier.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';

/** Levels whose outcomes are cached: the usual ones and others. Each takes 13 bytes for each day and stock, 14 MB of 930 stocks over five years. */
const KEPT_BARRIERS = 2;
const UNKNOWN = 0;
const BELOW_LIMIT = 1;
const AT_LIMIT = 2;

/**
 * What the pasts of all screens read of a market, each part computed when it is first read: whether a stock closed at its upper limit,
 * and what came of buying it. Tables have one place for each day of the panel and each stock, day by day.
 */
export class PastMarket {
  readonly panel: Panel;
  readonly #rows: Int32Array;
  readonly #closes: Uint8Array;
  readonly #outcomes = new Map<string, Outcomes>();

  constructor(panel: Panel) {
    this.panel = panel;
    this.#rows = rowsOf(panel);
    this.#closes = new Uint8Array(this.#rows.length);
  }

  /** Whether a stock has a row at a place, and it did not close at its upper limit. */
  isOffered(place: number): boolean {
    const row = this.#rows[place]!;
    if (row < 0) return false;
    if (this.#closes[place] === UNKNOWN) {
      const isAtLimit = closedAtUpperLimit(this.panel, place % this.panel.tickerCount, row);
      this.#closes[place] = isAtLimit ? AT_LIMIT : BELOW_LIMIT;
    }
    return this.#closes[place] === BELOW_LIMIT;
  }

  /**
   * What came of buying at some places, each in its place. Others, and places without a row, may be undecided.
   *
   * @param places their days are at most `lastDecidedDay` of the panel's last whole day, so that nothing changes what came of them
   */
  outcomesAt(
    places: Iterable<number>,
    { targetGain, stopLoss, horizonDays }: Barriers,
    wanted: MayBeUnwanted = {},
  ): Outcomes {
    const key = [targetGain, stopLoss, horizonDays].join();
    const outcomes = this.#outcomes.get(key) ?? undecidedOutcomes(this.#rows.length);
    this.#outcomes.delete(key);
    this.#outcomes.set(key, outcomes);
    for (const oldest of this.#outcomes.keys())
      if (this.#outcomes.size > KEPT_BARRIERS) this.#outcomes.delete(oldest);
    this.#decide(places, { targetGain, stopLoss, horizonDays, ...wanted }, outcomes);
    return outcomes;
  }

  #decide(
    places: Iterable<number>,
    { isUnwanted, ...barriers }: Barriers & MayBeUnwanted,
    outcomes: Outcomes,
  ): void {
    const missing: number[] = [];
    for (const place of places)
      if (outcomes.exitDay[place] === UNDECIDED && this.#rows[place]! >= 0) missing.push(place);
    const { tickerCount, lastWholeDay } = this.panel;
    const ticker = missing.map((place) => place % tickerCount);
    const panelRow = missing.map((place) => this.#rows[place]!);
    const decided = tripleBarrier(this.panel, { ticker, panelRow, isUnwanted }, barriers, lastWholeDay);
    for (const [i, place] of missing.entries()) {
      outcomes.filled[place] = decided.filled[i]!;
      outcomes.won[place] = decided.won[i]!;
      outcomes.stopped[place] = decided.stopped[i]!;
      outcomes.exitDay[place] = decided.exitDay[i]!;
      outcomes.netReturn[place] = decided.netReturn[i]!;
    }
  }
}

/** For each day of the panel and each ticker: its row, -1 where it has none. */
function rowsOf({ columns: { day, offsets }, tickerCount, dayCount }: Panel): Int32Array {
  const rows = new Int32Array(dayCount * tickerCount).fill(-1);
  for (let ticker = 0; ticker < tickerCount; ticker++)
    for (let row = offsets[ticker]!; row < offsets[ticker + 1]!; row++)
      rows[day[row]! * tickerCount + ticker] = row;
  return rows;
}
