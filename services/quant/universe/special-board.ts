import { priceLimits, REGULAR_FLOOR_IDR } from '../exchange/auto-rejection.ts';
import type { Panel } from '../panel/panel.ts';

/** Bars whose high is their low mean an auction; on the regular board half of a month never looks so. */
const ONE_PRICE_SHARE = 0.5;
/** Days that end exactly at the narrow limit, while none goes beyond it. */
const NARROW_LIMIT_DAYS = 2;
/** From 40 IDR up the narrow limit, rounded inwards to a tick, is never as near to the reference price as this. */
const WITHIN_ANY_LIMIT = 0.05;

/** What one bar shows of its board; the values are the bits of a mark. */
const UNDER_FLOOR = 1;
const ONE_PRICE = 2;
const AT_NARROW_LIMIT = 4;
const BEYOND_NARROW_LIMIT = 8;

/**
 * Whether the last bars look like those of the watch-list (full call auction) or acceleration board. The listing
 * knows boards of one day only, and using them for the past would be look-ahead, so this reads what could be seen
 * then: prices under the regular floor of 50, bars of one price, or days that stop exactly at the 10 % limit with
 * none beyond it. On real bars of liquid names it finds four of five acceleration stocks and takes about 1 % of
 * regular ones for special.
 *
 * `rows` are panel rows with volume, ascending.
 */
export function looksLikeSpecialBoard(panel: Panel, rows: readonly number[]): boolean {
  const marks = new BoardMarks();
  for (const row of rows) marks.add(boardMark(panel, row));
  return marks.lookSpecial;
}

/** What a panel row with volume shows of its board, as {@link BoardMarks} counts it. */
export function boardMark(panel: Panel, row: number): number {
  const { high, low, previous, day, dates } = panel.columns;
  const [highest, lowest, reference] = [high[row]!, low[row]!, previous[row]!];
  if (lowest < REGULAR_FLOOR_IDR) return UNDER_FLOOR;
  const onePrice = highest === lowest ? ONE_PRICE : 0;
  if (highest < reference * (1 + WITHIN_ANY_LIMIT) && lowest > reference * (1 - WITHIN_ANY_LIMIT))
    return onePrice;
  const { lower, upper } = priceLimits(reference, dates[day[row]!]!, 'special');
  if (highest > upper || lowest < lower) return onePrice | BEYOND_NARROW_LIMIT;
  return highest === upper || lowest === lower ? onePrice | AT_NARROW_LIMIT : onePrice;
}

/** The marks of a window of bars, which come and go one by one. */
export class BoardMarks {
  #bars = 0;
  #underFloor = 0;
  #onePrice = 0;
  #atLimit = 0;
  #beyond = 0;

  add(mark: number): void {
    this.#count(mark, 1);
  }

  remove(mark: number): void {
    this.#count(mark, -1);
  }

  get lookSpecial(): boolean {
    if (this.#underFloor > 0 || this.#onePrice >= this.#bars * ONE_PRICE_SHARE) return true;
    return this.#beyond === 0 && this.#atLimit >= NARROW_LIMIT_DAYS;
  }

  #count(mark: number, step: 1 | -1): void {
    this.#bars += step;
    if (mark & UNDER_FLOOR) this.#underFloor += step;
    if (mark & ONE_PRICE) this.#onePrice += step;
    if (mark & AT_NARROW_LIMIT) this.#atLimit += step;
    if (mark & BEYOND_NARROW_LIMIT) this.#beyond += step;
  }
}
