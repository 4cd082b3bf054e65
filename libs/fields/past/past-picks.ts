import { refuseUnwanted, type MayBeUnwanted } from '#foundation/unwanted.ts';
import type { Barriers, Outcomes } from '#quant/labels/triple-barrier.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { NameOutcome, PickWeek } from '#quant/statistics/pick-figures.ts';
import type { DaysMatches } from '../evaluation/evaluate.ts';
import type { PastMarket } from './past-market.ts';

/**
 * What a screen picked on each of some past days, and what came of these and of every other stock that could be chosen. Tables have one
 * place for each day of the span and each stock, day by day.
 */
export interface PastPicks extends MayBeUnwanted {
  span: DaySpan;
  stocks: number;
  /** The picks of each day of the span: indices of tickers. */
  matches: Pick<DaysMatches, 'starts' | 'stocks'> & {
    /** For each day of the span: 1 if something was asked what it picks. Of every day if undefined. */
    isCounted?: Uint8Array;
  };
  /** 1 for a liquid stock that did not close at its upper limit. */
  isCandidate: Uint8Array;
  /** Of picks and candidates. What other places hold means nothing. */
  outcomes: Outcomes;
}

/**
 * Follows picks and candidates as models follow theirs: with the entry, the exits and the costs of `tripleBarrier`.
 *
 * @param span ends on `lastDecidedDay` of the panel's last day at the latest
 * @param liquid for each day of the span and each stock: 1 for a liquid one
 */
export function pastPicks(
  market: PastMarket,
  of: Pick<PastPicks, 'span' | 'matches' | 'isUnwanted'> & { liquid: Uint8Array },
  barriers: Barriers,
): PastPicks {
  const { span, matches, liquid, isUnwanted } = of;
  const { tickerCount: stocks } = market.panel;
  const first = span.firstDay * stocks;
  const end = (span.lastDay + 1) * stocks;
  const isCandidate = new Uint8Array(end - first);
  const places = new Uint32Array(isCandidate.length + matches.stocks.length);
  let count = 0;
  for (let at = 0; at < isCandidate.length; at++) {
    if (liquid[at] !== 1 || !market.isOffered(first + at)) continue;
    isCandidate[at] = 1;
    places[count++] = first + at;
  }
  eachPick(matches, stocks, (at) => (places[count++] = first + at));
  const { filled, won, stopped, exitDay, netReturn } = market.outcomesAt(
    places.subarray(0, count),
    barriers,
    { isUnwanted },
  );
  const outcomes = {
    filled: filled.subarray(first, end),
    won: won.subarray(first, end),
    stopped: stopped.subarray(first, end),
    exitDay: exitDay.subarray(first, end),
    netReturn: netReturn.subarray(first, end),
  };
  return { span, stocks, matches, isCandidate, outcomes, isUnwanted };
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
export function boughtAt({ outcomes }: PastPicks, at: number, code: string): NameOutcome | undefined {
  if (outcomes.filled[at] === 0) return undefined;
  return { code, won: outcomes.won[at] === 1, netReturn: outcomes.netReturn[at]! };
}

/** Each day as statistics of picks read it, compared with all candidates of the day. */
export function pickDays(past: PastPicks, tickers: readonly string[]): PickWeek[] {
  const { stocks, matches } = past;
  return Array.from({ length: matches.starts.length - 1 }, (_, day) => {
    refuseUnwanted(past);
    const picked = matches.stocks.subarray(matches.starts[day], matches.starts[day + 1]);
    const picks: NameOutcome[] = [];
    for (const stock of picked) {
      const outcome = boughtAt(past, day * stocks + stock, tickers[stock]!);
      if (outcome) picks.push(outcome);
    }
    return { picks, unfilled: picked.length - picks.length, universe: candidatesOn(past, day * stocks) };
  });
}

/** What `universeOf` says of the candidates of a day that were bought, from its first place on, of which there are hundreds. */
function candidatesOn({ stocks, isCandidate, outcomes }: PastPicks, start: number): PickWeek['universe'] {
  const { filled, won, netReturn } = outcomes;
  let [names, wins, sold, net] = [0, 0, 0, 0];
  for (let at = start; at < start + stocks; at++) {
    if ((isCandidate[at]! & filled[at]!) === 0) continue;
    names++;
    wins += won[at]!;
    if (Number.isNaN(netReturn[at])) continue;
    sold++;
    net += netReturn[at]!;
  }
  return { names, winRate: names && wins / names, meanNetReturn: sold && net / sold };
}
