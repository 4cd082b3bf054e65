import type { DaySpan } from '#quant/panel/ranges.ts';
import type { CombinedPick, CombinedRow } from './result.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ConfluenceMarket, signalDetail } from '../confluence-filter/selection.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { learnMarket } from '../trained/learn-market.ts';
import type { TrainedMarket } from '../trained/trained-market.ts';
import { fullPicksOutput, picksOutput } from '../model/picks-output.ts';
import { pickRow, type RowContext, winChance } from '../picks/pick-row.ts';
import { priceLevels, tickPrices } from '#quant/labels/price-levels.ts';
import { missingOf } from '../picks/missing-tickers.ts';
import { shownScore } from '../picks/ranking.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../model/screen.ts';
import { spanUpTo } from '../inputs/run-failure.ts';
import {
  HORIZON_DAYS,
  type CombinedParams,
  STRATEGIES,
  TRAIN_DAYS,
  ID,
  VERSION,
  daysNeeded,
} from './params.ts';
import { combinedRules, needsSellers, SELLER_WINDOW, signalsOf, whyNone } from './selection.ts';
import { Selection } from '../picks/selection.ts';
import { picksOfPastDays } from './past-picks.ts';
import { hybridScore, type Ranked, votes } from './strategies.ts';

/** Model F: names with a high model probability on which several of model D's signals agree. */
export const screen: Screen<CombinedParams> = { brokerSpan, run };

async function run(input: ScreenInput<CombinedParams>): Promise<ScreenOutput> {
  const { target_gain, stop_loss } = input.params;
  const market = await learnMarket(input, {
    modelId: ID,
    version: VERSION,
    analysisDate: input.analysisDate,
    leastDays: daysNeeded(),
    targetGain: target_gain,
    stopLoss: stop_loss,
    horizonDays: HORIZON_DAYS,
    trainDays: TRAIN_DAYS,
  });
  return combinedResult(input, market);
}

/** Computes the result of model F from a trained market. */
export function combinedResult(
  input: Pick<
    ScreenInput<CombinedParams>,
    'panel' | 'features' | 'brokerFlow' | 'regime' | 'dataset' | 'params' | 'view'
  >,
  trained: TrainedMarket,
): ScreenOutput {
  const { panel, brokerFlow, params } = input;
  const signals = signalsOf(new ConfluenceMarket(panel, brokerFlow, trained.day));
  const selection = new Selection(trained.stocks, params, (tried) => combinedRules(signals, tried));
  const choice = {
    modelId: ID,
    horizonDays: HORIZON_DAYS,
    selection,
    quality: trained.quality(picksOfPastDays(params, panel, trained.day)),
    whyNone: () => whyNone(selection),
  };
  if (input.view === 'full') {
    return fullPicksOutput(input, trained, {
      ...choice,
      row: (ranked, rank, context) => combinedRow(ranked, rank, params, context),
      diag: ({ regime }) => ({ strategy: params.strategy, regime }),
    });
  }
  // The contract's fields. Each pick also has the two rates that its probability compares.
  return picksOutput(input, trained, choice, ({ levels, notice, reasons, ranks, empty }) => ({
    model_id: ID,
    view: 'compact',
    as_of: trained.asOf,
    pick_count: selection.picks.length,
    levels,
    picks: selection.picks.map((ranked, i) => ({
      ...compactPick(ranked, ranks[i]!, params, trained.asOf),
      reasons: reasons[i]!.reasons,
    })),
    model_quality: choice.quality,
    notice,
    ...(trained.caution && { caution: trained.caution }),
    ...missingOf(panel, params),
    funnel: selection.funnel,
    ...(empty && { empty }),
  }));
}

/** The days of broker rows that Intersection's seller filter reads. */
function brokerSpan(panel: Panel, params: CombinedParams, analysisDate: string): DaySpan | undefined {
  return needsSellers(params) ? spanUpTo(panel, analysisDate, SELLER_WINDOW.days) : undefined;
}

/**
 * A pick of the compact view: the contract's fields, the two rates that `probability` compares, and what picks are ranked by.
 * Numbers stay numbers.
 */
function compactPick(
  ranked: Ranked,
  rank: number,
  params: CombinedParams,
  asOf: string,
): Omit<CombinedPick, 'reasons'> {
  const { stock, hit } = ranked;
  const levels = priceLevels(stock.close, params);
  const { score, fromProbability, fromRest } = shownScore(ranked);
  return {
    ticker: stock.code,
    rank,
    close: stock.close,
    probability: stock.probability,
    ...winChance(stock),
    score,
    score_from_probability: fromProbability,
    score_from_signals: fromRest,
    ...(ranked.places ? { strategy_votes: votes(ranked) } : {}),
    signals: hit.reading.count,
    ...levels,
    tick_prices: tickPrices(levels, stock.close, asOf),
  };
}

/**
 * A pick of the full view. `Score` is the value the strategy ranks by; for Compare All, which ranks by votes, the hybrid score.
 */
function combinedRow(ranked: Ranked, rank: number, params: CombinedParams, context: RowContext): CombinedRow {
  const { stock, hit } = ranked;
  const { score, fromProbability, fromRest } = shownScore(ranked);
  return {
    ...pickRow(stock, { rank, score }, context),
    'Score From Probability': fromProbability,
    'Score From Signals': fromRest,
    Signals: hit.reading.count,
    'Signal Detail': signalDetail(hit.reading),
    'Hybrid Score': toDecimals(hybridScore(ranked, params), 1),
    Strategy: params.strategy,
    ...(ranked.places ? { 'Strategy Votes': votes(ranked), ...placesRow(ranked.places) } : {}),
  };
}

/** The name's place in each strategy's list; null if the strategy does not pick it. */
function placesRow(places: NonNullable<Ranked['places']>) {
  return Object.fromEntries(STRATEGIES.map((strategy) => [`Rank ${strategy}`, places[strategy] ?? null]));
}
