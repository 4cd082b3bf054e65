import type { Panel } from '../panel/panel.ts';
import { TrailingValue } from '../regime/trailing-value.ts';
import { MIN_BARS, MIN_RECENT_TRADED, RECENT_DAYS } from './candidates.ts';
import { BoardMarks, boardMark } from './special-board.ts';

/** The days on which a ticker could be dealt in; both arrays have one entry a day, ascending. */
export interface TradableRows {
  /** Index into the traded rows. */
  bar: Uint32Array;
  /** Mean traded value of the last 20 exchange days, IDR. */
  averageValue: Float64Array;
}

/**
 * Every day on which `candidates` names the ticker (index), in one pass over its `traded` rows. What is said of a day is
 * made of rows up to it alone. The rule stands twice because model D, which reads one day, would wait some 35 ms for
 * all of them and waits 5 for `candidates`; a property test holds the two together.
 */
export function tradableRows(panel: Panel, ticker: number, traded: Uint32Array): TradableRows {
  const { day } = panel.columns;
  const average = new TrailingValue(panel, ticker);
  const marks = new Uint8Array(traded.length);
  const recent = new BoardMarks();
  const bars = new Uint32Array(traded.length);
  const averageValue = new Float64Array(traded.length);
  let [oldest, count] = [0, 0];
  for (let bar = 0; bar < traded.length; bar++) {
    const today = day[traded[bar]!]!;
    marks[bar] = boardMark(panel, traded[bar]!);
    recent.add(marks[bar]!);
    for (; day[traded[oldest]!]! <= today - RECENT_DAYS; oldest++) recent.remove(marks[oldest]!);
    const value = average.upTo(today);
    const isTradedEnough = bar + 1 >= MIN_BARS && bar + 1 - oldest >= MIN_RECENT_TRADED;
    if (!isTradedEnough || recent.lookSpecial) continue;
    bars[count] = bar;
    averageValue[count++] = value;
  }
  return { bar: bars.subarray(0, count), averageValue: averageValue.subarray(0, count) };
}
