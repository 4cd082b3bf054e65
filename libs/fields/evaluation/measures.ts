import type { Subject } from '../rules/rules.ts';
import { DayOrder } from './day-order.ts';
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
      return ranks(market, subject.field, subject.as, days);
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

/** Each day's liquid stocks with a value are put in its order, in which equal values share a place. */
function ranks(market: MarketColumns, field: string, as: RankMeasure, days: Days) {
  const { liquid } = market;
  const { values } = numbersOf(market, field);
  const stocks = market.tickers.length;
  const order = new DayOrder([{ field, order: 'asc' }], market);
  const out = new Float32Array((days.lastDay + 1 - days.firstDay) * stocks).fill(NaN);
  const buffer = new Uint16Array(stocks);
  for (let day = days.firstDay; day <= days.lastDay; day++) {
    const start = day * stocks;
    let count = 0;
    for (let stock = 0; stock < stocks; stock++) {
      buffer[count] = stock;
      const value = values[start + stock]!;
      count += Number(liquid[start + stock] === 1) & Number(value === value);
    }
    const ascending = buffer.subarray(0, count);
    order.sort(ascending, day);
    for (let from = 0, to = 0; from < count; from = to) {
      const value = values[start + ascending[from]!]!;
      while (to < count && values[start + ascending[to]!] === value) to++;
      const place = placeOf({ from, to, count }, as);
      for (let i = from; i < to; i++) out[start - days.firstDay * stocks + ascending[i]!] = place;
    }
  }
  return out;
}

/** @param tied equal values among `count` ascending ones, up to `to` (exclusive) */
function placeOf(tied: { from: number; to: number; count: number }, as: RankMeasure): number {
  if (as === 'rank') return tied.count - tied.to + 1;
  return as === 'bottom_rank' ? tied.from + 1 : (50 * (tied.from + tied.to)) / tied.count;
}
