import { priceLimits, REGULAR_FLOOR_IDR } from '#quant/exchange/auto-rejection.ts';
import type { Panel } from '#quant/panel/panel.ts';

/** Bars whose high is their low mean an auction; on the regular board half of a month never looks so. */
const ONE_PRICE_SHARE = 0.5;
/** Days that end exactly at the narrow limit, while none goes beyond it. */
const NARROW_LIMIT_DAYS = 2;

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
  const { high, low, previous, day, dates } = panel.columns;
  let [onePrice, atLimit, beyond] = [0, 0, 0];
  for (const row of rows) {
    const [highest, lowest] = [high[row]!, low[row]!];
    if (lowest < REGULAR_FLOOR_IDR) return true;
    if (highest === lowest) onePrice++;
    const { lower, upper } = priceLimits(previous[row]!, dates[day[row]!]!, 'special');
    if (highest > upper || lowest < lower) beyond++;
    else if (highest === upper || lowest === lower) atLimit++;
  }
  return onePrice >= rows.length * ONE_PRICE_SHARE || (beyond === 0 && atLimit >= NARROW_LIMIT_DAYS);
}
