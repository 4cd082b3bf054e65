import type { Panel } from '#quant/panel/panel.ts';
import type { PicksOf } from '../learnt/best-of-each-day.ts';
import { isAboveFloors } from '../learnt/floors.ts';
import type { PastForecast } from '../learnt/learnt-market.ts';
import { isSoldOffByForeigners } from '../seller-filter.ts';
import { likeliestOf, needsSellers } from './combined-market.ts';
import { SELLER_WINDOW, type CombinedParams } from './params.ts';
import { SignalHistory } from './signal-history.ts';
import { rankedBy } from './strategies.ts';

/**
 * What this run would have picked on a past day: above its floors, likely enough, with enough signals then, the best by
 * its strategy. What is left out: sellers of past days are judged by foreign trades alone, because a run reads broker
 * rows of the last days only; and names below the liquidity that is learnt from have no past forecasts.
 */
export function picksOfPastDays(
  params: CombinedParams,
  panel: Panel,
  asOfDay: number,
): PicksOf<PastForecast> {
  const history = new SignalHistory(panel, asOfDay);
  return (ofDay, day) => {
    const likely = ofDay.filter(
      (stock) => isAboveFloors(stock, params) && stock.probability >= params.min_probability,
    );
    const likeliest = likeliestOf(likely, params);
    const contenders = likely
      .map((stock) => ({ stock, reading: history.readingOn(stock.ticker, day) }))
      .filter(({ reading }) => reading.count >= params.min_signals)
      .map(({ stock, reading }) => ({
        stock,
        hit: { stock, reading },
        isOnBothLists:
          needsSellers(params) &&
          likeliest.has(stock) &&
          !isSoldOffByForeigners(panel, stock.ticker, day, SELLER_WINDOW),
      }));
    const picks = rankedBy(contenders, params).slice(0, params.max_picks);
    return picks.map(({ contender }) => contender.stock);
  };
}
