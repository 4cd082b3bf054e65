import type { Panel } from '#quant/panel/panel.ts';
import { isAboveFloors, likeliestFirst } from '../learnt/floors.ts';
import type { PastForecast } from '../learnt/learnt-market.ts';
import { isSoldOffByForeigners } from '../seller-filter.ts';
import { likeliestCount, SELLER_WINDOW, type CombinedParams } from './params.ts';
import { SignalHistory } from './signal-history.ts';

/**
 * The past forecasts that this run would have admitted on their own day: above its floors, likely enough, with enough
 * signals then, and for Intersection among the likeliest of that day and not sold off. What is left out: sellers of past
 * days are judged by foreign trades alone, because a run reads broker rows of the last days only; and names below the
 * liquidity that is learnt from have no past forecasts. Compare All admits what any of its strategies does.
 */
export function pastPicks(
  past: readonly PastForecast[],
  params: CombinedParams,
  panel: Panel,
  asOfDay: number,
): Set<PastForecast> {
  const history = new SignalHistory(panel, asOfDay);
  const likely = past.filter(
    (each) => isAboveFloors(each, params) && each.probability >= params.min_probability,
  );
  const considered =
    params.strategy === 'Intersection' ? likeliestOfEachDay(likely, likeliestCount(params)) : likely;
  const confirmed = considered.filter(
    ({ ticker, day }) => history.countOn(ticker, day) >= params.min_signals,
  );
  return new Set(
    params.strategy === 'Intersection'
      ? confirmed.filter(({ ticker, day }) => !isSoldOffByForeigners(panel, ticker, day, SELLER_WINDOW))
      : confirmed,
  );
}

function likeliestOfEachDay(forecasts: readonly PastForecast[], count: number): PastForecast[] {
  const byDay = Map.groupBy(forecasts, ({ day }) => day);
  return [...byDay.values()].flatMap((ofDay) => ofDay.toSorted(likeliestFirst).slice(0, count));
}
