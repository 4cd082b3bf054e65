import { signalDetail } from '../confluence-row.ts';
import { rounded } from '../display.ts';
import { priceLevels } from '../learnt/levels.ts';
import { pickRow, type RowContext } from '../learnt/pick-row.ts';
import { STRATEGIES, type CombinedParams } from './params.ts';
import { hybridScore, votes, type Ranked } from './strategies.ts';

/** A pick of the compact view: the contract's fields, numbers as numbers. */
export function compactPick({ contender: { stock, hit } }: Ranked, params: CombinedParams) {
  return {
    ticker: stock.code,
    close: stock.close,
    probability: stock.probability,
    signals: hit.reading.count,
    ...priceLevels(stock.close, params),
  };
}

/** A pick of the full view. `Score` is what the strategy ranks by; of Compare All, which ranks by votes, the hybrid score. */
export function combinedRow(ranked: Ranked, params: CombinedParams, context: RowContext) {
  const { contender, score } = ranked;
  return {
    ...pickRow(contender.stock, score, context),
    Signals: contender.hit.reading.count,
    'Signal Detail': signalDetail(contender.hit.reading),
    'Hybrid Score': rounded(hybridScore(contender, params), 1),
    Strategy: params.strategy,
    ...(ranked.places ? { 'Strategy Votes': votes(ranked), ...placesRow(ranked.places) } : {}),
  };
}

/** The place in each strategy's list, null where it does not pick the name. */
function placesRow(places: NonNullable<Ranked['places']>) {
  return Object.fromEntries(STRATEGIES.map((strategy) => [`Rank ${strategy}`, places[strategy] ?? null]));
}
