import type { Subject } from '../rules/rules.ts';
import {
  numbersOf,
  restatedMove,
  restatingScale,
  type Days,
  type MarketColumns,
  type NumberColumn,
} from './market-columns.ts';

/** The numbers that a test compares, over some days: those of a field, or of a measure of it; see `MEASURES`. */
export function measured(market: MarketColumns, subject: Subject, days: Days): Float32Array {
  const column = numbersOf(market, subject.field);
  const stocks = market.tickers.length;
  switch (subject.as) {
    case undefined:
      return column.values.subarray(days.firstDay * stocks, (days.lastDay + 1) * stocks);
    case 'change':
    case 'change_pct':
      return changes(column, subject as ChangeSubject, days, market);
    default:
      return ranks(market, column.values, subject.as, days);
  }
}

interface ChangeSubject {
  as: 'change' | 'change_pct';
  days: number;
}

function changes(
  { values, factors }: NumberColumn,
  { as, days }: ChangeSubject,
  span: Days,
  { tickers: { length: stocks }, gaps = [] }: MarketColumns,
) {
  const first = span.firstDay * stocks;
  const out = new Float32Array((span.lastDay + 1) * stocks - first).fill(NaN);
  const back = days * stocks;
  for (let at = Math.max(0, back - first); at < out.length; at++) {
    const [now, before] = [first + at, first + at - back];
    const scale = restatingScale(factors, before, now);
    const earlier = values[before]! * scale;
    const move = restatedMove(earlier, values[now]!, scale);
    if (as === 'change') out[at] = move;
    else if (earlier > 0) out[at] = move === 0 ? 0 : 100 * (values[now]! / earlier - 1);
  }
  // Between a day and one that many before it, more days have passed than are counted.
  for (const gap of gaps) {
    if (gap + days > span.firstDay)
      out.fill(NaN, Math.max(0, gap * stocks - first), (gap + days) * stocks - first);
  }
  return out;
}

type RankMeasure = 'rank' | 'bottom_rank' | 'percentile';

/** Each day's values of the liquid stocks are sorted, and the place of each is searched among them. */
function ranks({ tickers, liquid }: MarketColumns, values: Float32Array, as: RankMeasure, days: Days) {
  const stocks = tickers.length;
  const out = new Float32Array((days.lastDay + 1 - days.firstDay) * stocks).fill(NaN);
  const known = new Float32Array(stocks);
  const placeOfKnown = new Uint32Array(stocks);
  for (let day = days.firstDay; day <= days.lastDay; day++) {
    let count = 0;
    for (let stock = 0, at = day * stocks; stock < stocks; stock++, at++) {
      known[count] = values[at]!;
      placeOfKnown[count] = at;
      count += Number(liquid[at] === 1) & Number(values[at] === values[at]);
    }
    const sorted = known.subarray(0, count).sort();
    const start = days.firstDay * stocks;
    for (let i = 0; i < count; i++) {
      const at = placeOfKnown[i]!;
      out[at - start] = placeOf(values[at]!, sorted, as);
    }
  }
  return out;
}

function placeOf(value: number, sorted: Float32Array, as: RankMeasure): number {
  const below = countBelow(sorted, value, false);
  if (as === 'bottom_rank') return below + 1;
  const upTo = countBelow(sorted, value, true);
  return as === 'rank' ? sorted.length - upTo + 1 : (50 * (below + upTo)) / sorted.length;
}

/** How many of ascending values are below a value, or with `andEqual`, not above it. */
function countBelow(sorted: Float32Array, value: number, andEqual: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value || (andEqual && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
