import { exchangeable, RandomExchanges } from '#quant/performance/exchanged-names.ts';
import { Random } from '#quant/random.ts';
import { eachPick, type PastPicks } from './past-picks.ts';

/** Steps that the draws of one request may take together, some 300 ms. */
const MAX_STEPS = 30_000_000;
const MAX_DRAWS = 500;
/** With fewer, the ends of their distribution say little. */
const MIN_DRAWS = 100;
/** Draws that go through the days side by side, so that each day of the market is in the processor's caches for all of them. */
const TOGETHER = 250;
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
  const { stocks, matches, isCandidate, places, outcomes } = past;
  const random = new Random(SEED);
  const members = exchangeable(matches.stocks, isCandidate, stocks);
  const draws = drawsFor(past, members.length);
  const means: number[] = [];
  for (let done = 0; done < draws; done += TOGETHER) {
    const count = Math.min(TOGETHER, draws - done);
    const exchanges = new RandomExchanges(members, stocks, { count, random });
    const [sums, sold] = [new Float64Array(count), new Uint32Array(count)];
    let begun = -1;
    eachPick(matches, stocks, (at, day) => {
      const start = day * stocks;
      if (day > begun) exchanges.onDay(isCandidate, start);
      begun = day;
      const chosen = exchanges.inPlaceOf(at - start);
      for (let draw = 0; draw < count; draw++) {
        const instead = start + chosen[draw]!;
        if (isCandidate[instead] === 0) continue;
        const place = places[instead]!;
        if (outcomes.filled[place] === 0 || Number.isNaN(outcomes.netReturn[place]!)) continue;
        sums[draw]! += outcomes.netReturn[place]!;
        sold[draw]!++;
      }
    });
    for (const [draw, made] of sold.entries()) if (made > 0) means.push(sums[draw]! / made);
  }
  return Float64Array.from(means);
}

/** As many as there is time for. A pick takes a few steps: the stocks that are exchanged over the candidates of a day. */
function drawsFor({ matches, isCandidate, span }: PastPicks, members: number): number {
  let candidates = 0;
  for (let at = 0; at < isCandidate.length; at++) candidates += isCandidate[at]!;
  const ofDay = candidates / (span.lastDay + 1 - span.firstDay);
  const steps = matches.stocks.length * (members / Math.max(1, ofDay));
  return Math.max(MIN_DRAWS, Math.min(MAX_DRAWS, Math.floor(MAX_STEPS / Math.max(1, steps))));
}
