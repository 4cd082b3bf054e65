import { tripleBarrier, type Barriers, type Outcomes } from '#quant/labels/triple-barrier.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { universeOf, type NameOutcome, type PickWeek } from '#quant/statistics/pick-figures.ts';
import { closedAtUpperLimit } from '#quant/universe/candidates.ts';
import type { DaysMatches } from '../evaluation/evaluate.ts';

/** What a screen picked on each of some past days, and what came of these and of every other stock that could be chosen. */
export interface PastPicks {
  span: DaySpan;
  stocks: number;
  /** The picks of each day of the span: indices of tickers. */
  matches: Pick<DaysMatches, 'starts' | 'stocks'> & {
    /** For each day of the span: 1 if something was asked what it picks. Of every day if undefined. */
    isCounted?: Uint8Array;
  };
  /** For each day of the span and each stock: where its outcome is; -1 for a stock that is neither picked nor a candidate. */
  places: Int32Array;
  /** For each day of the span and each stock: 1 for a liquid stock that did not close at its upper limit. */
  isCandidate: Uint8Array;
  outcomes: Outcomes;
}

/**
 * Follows picks and candidates as models follow theirs: with the entry, the exits and the costs of {@link tripleBarrier}.
 *
 * @param span ends on `lastDecidedDay` of the panel's last day at the latest
 * @param liquid for each day of the span and each stock: 1 for a liquid one
 */
export function pastPicks(
  panel: Panel,
  { span, matches, liquid }: Pick<PastPicks, 'span' | 'matches'> & { liquid: Uint8Array },
  barriers: Barriers,
): PastPicks {
  const { tickerCount: stocks } = panel;
  const rows = rowsOf(panel, span);
  const isCandidate = new Uint8Array(rows.length);
  const places = new Int32Array(rows.length).fill(-1);
  const isWanted = new Uint8Array(rows.length);
  eachPick(matches, stocks, (at) => (isWanted[at] = 1));
  const [ticker, panelRow]: [number[], number[]] = [[], []];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    if (row < 0) continue;
    if (liquid[at] === 1 && !closedAtUpperLimit(panel, at % stocks, row)) isCandidate[at] = 1;
    if (isCandidate[at] === 0 && isWanted[at] === 0) continue;
    places[at] = panelRow.length;
    ticker.push(at % stocks);
    panelRow.push(row);
  }
  const outcomes = tripleBarrier(panel, { ticker, panelRow }, barriers, panel.lastWholeDay);
  return { span, stocks, matches, places, isCandidate, outcomes };
}

/** For each day of the span and each ticker: its row of the panel, -1 where it has none. */
function rowsOf(panel: Panel, { firstDay, lastDay }: DaySpan): Int32Array {
  const { tickerCount: stocks, columns } = panel;
  const rows = new Int32Array((lastDay + 1 - firstDay) * stocks).fill(-1);
  for (let ticker = 0; ticker < stocks; ticker++) {
    const end = panel.endRow(ticker, lastDay);
    for (let row = panel.endRow(ticker, firstDay - 1); row < end; row++)
      rows[(columns.day[row]! - firstDay) * stocks + ticker] = row;
  }
  return rows;
}

/** Visits every pick: where it is in tables of days and stocks, and its day of the span. */
export function eachPick(
  { starts, stocks: picked }: Pick<DaysMatches, 'starts' | 'stocks'>,
  stocks: number,
  visit: (at: number, day: number) => void,
): void {
  for (let day = 0; day + 1 < starts.length; day++)
    for (let i = starts[day]!; i < starts[day + 1]!; i++) visit(day * stocks + picked[i]!, day);
}

/** The outcome of a stock of a day that was bought; undefined for one that could not be. */
export function boughtAt({ places, outcomes }: PastPicks, at: number, code: string): NameOutcome | undefined {
  const place = places[at]!;
  if (place < 0 || outcomes.filled[place] === 0) return undefined;
  return { code, won: outcomes.won[place] === 1, netReturn: outcomes.netReturn[place]! };
}

/** Each day as statistics of picks read it, compared with all candidates of the day. */
export function pickDays(past: PastPicks, tickers: readonly string[]): PickWeek[] {
  const { stocks, matches, isCandidate } = past;
  return Array.from({ length: matches.starts.length - 1 }, (_, day) => {
    const outcomeOf = (stock: number) => boughtAt(past, day * stocks + stock, tickers[stock]!);
    const picked = Array.from(
      matches.stocks.subarray(matches.starts[day], matches.starts[day + 1]),
      outcomeOf,
    );
    const picks = picked.filter((outcome) => outcome !== undefined);
    const candidates: NameOutcome[] = [];
    for (let stock = 0; stock < stocks; stock++) {
      const outcome = isCandidate[day * stocks + stock] === 1 ? outcomeOf(stock) : undefined;
      if (outcome) candidates.push(outcome);
    }
    return { picks, unfilled: picked.length - picks.length, universe: universeOf(candidates) };
  });
}
