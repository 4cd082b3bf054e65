import { refuseUnwanted } from '#foundation/unwanted.ts';
import { exchangeable, RandomExchanges } from '#quant/performance/exchanged-names.ts';
import { Random } from '#quant/random.ts';
import type { PastPicks } from './past-picks.ts';

/** Steps from stock to stock that the draws of one request would take together, which say how many there are. */
const MAX_STEPS = 30_000_000;
const MAX_DRAWS = 500;
/** With fewer, the ends of their distribution say little. */
const MIN_DRAWS = 100;
/** Draws that go through the days side by side, so that each day of the market is in the processor's caches for all of them. */
const TOGETHER = 125;
const SEED = 1;

/**
 * What random choices of as many stocks on the same days returned: the mean net return of a pick that was sold, for each draw.
 *
 * A draw exchanges the names of the stocks by one random permutation for the whole span, so that it holds on to its stocks for as
 * long as the screen does to its own. Choices that are made anew each day would vary far less than those of a screen, which picks
 * the same stock for days on end, and nearly every screen would look either much better or much worse than they. Where the stock
 * of a draw is no candidate of the day, the permutation is followed to the next one that is. On the candidates of a day that is
 * itself a random permutation, and it changes only where candidates do.
 */
export function randomChoices(past: PastPicks): Float64Array {
  const { stocks, matches, isCandidate } = past;
  const { starts } = matches;
  const random = new Random(SEED);
  const members = exchangeable(matches.stocks, isCandidate, stocks);
  const draws = drawsFor(past, members.length);
  const means: number[] = [];
  const ofDay = { returned: new Float64Array(stocks), isSold: new Uint8Array(stocks) };
  for (let done = 0; done < draws; done += TOGETHER) {
    const count = Math.min(TOGETHER, draws - done);
    const exchanges = new RandomExchanges(members, stocks, { count, random });
    const totals = { sums: new Float64Array(count), sold: new Uint32Array(count) };
    for (let day = 0; day + 1 < starts.length; day++) {
      refuseUnwanted(past);
      if (starts[day] === starts[day + 1]) continue;
      exchanges.onDay(isCandidate, day * stocks);
      readDay(past, day * stocks, ofDay);
      for (let i = starts[day]!; i < starts[day + 1]!; i++)
        add(totals, ofDay, exchanges.inPlaceOf(matches.stocks[i]!));
    }
    for (const [draw, made] of totals.sold.entries()) if (made > 0) means.push(totals.sums[draw]! / made);
  }
  return Float64Array.from(means);
}

/** What each stock returned that could be chosen on a day, was bought and was sold; 0 of others. */
interface ReturnsOfDay {
  returned: Float64Array;
  isSold: Uint8Array;
}

/** @param start the first place of the day */
function readDay(
  { isCandidate, outcomes }: PastPicks,
  start: number,
  { returned, isSold }: ReturnsOfDay,
): void {
  const { filled, netReturn } = outcomes;
  for (let stock = 0; stock < returned.length; stock++) {
    const net = netReturn[start + stock]!;
    const counts = (isCandidate[start + stock]! & filled[start + stock]!) === 1 && !Number.isNaN(net);
    isSold[stock] = Number(counts);
    returned[stock] = counts ? net : 0;
  }
}

/** Adds what the chosen stocks returned, of each draw. Nothing depends on what they are, which a processor could not foresee. */
function add(
  { sums, sold }: { sums: Float64Array; sold: Uint32Array },
  { returned, isSold }: ReturnsOfDay,
  chosen: Uint16Array,
): void {
  for (let draw = 0; draw < chosen.length; draw++) {
    const stock = chosen[draw]!;
    sums[draw]! += returned[stock]!;
    sold[draw]! += isSold[stock]!;
  }
}

/** As many as there is time for. A pick takes a few steps: the stocks that are exchanged over the candidates of a day. */
function drawsFor({ matches, isCandidate, span }: PastPicks, members: number): number {
  let candidates = 0;
  for (let at = 0; at < isCandidate.length; at++) candidates += isCandidate[at]!;
  const ofDay = candidates / (span.lastDay + 1 - span.firstDay);
  const steps = matches.stocks.length * (members / Math.max(1, ofDay));
  return Math.max(MIN_DRAWS, Math.min(MAX_DRAWS, Math.floor(MAX_STEPS / Math.max(1, steps))));
}
