import { type DaySpan, firstAtLeast } from '#quant/panel/ranges.ts';
import type { CombinedPick, CombinedRow } from './result.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ConfluenceMarket, signalDetail } from '../confluence-filter/selection.ts';
import { rounded } from '../display.ts';
import type { NameTrace } from '../funnel.ts';
import { fullResult, learntExplanation, modelOf, summaryOf } from '../learnt/full-result.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket, ModelQuality, PastForecast, PicksOf } from '../learnt/learnt-market.ts';
import { pickReasons } from '../picks/pick-reasons.ts';
import { levelsOf, pickRow, priceLevels, type RowContext, tickPrices, winChance } from '../picks/pick-row.ts';
import { type PicksToRecord, picksToRecord } from '../picks/picks-to-record.ts';
import { shownScore } from '../picks/ranking.ts';
import { chanceToWin, notice, winRecord } from '../reasons/notice.ts';
import { type Screen, type ScreenInput, type ScreenOutput, spanUpTo } from '../screen.ts';
import {
  HORIZON_DAYS,
  type CombinedParams,
  STRATEGIES,
  TRAIN_DAYS,
  ID,
  VERSION,
  daysNeeded,
} from './params.ts';
import {
  combinedEmptyBlock,
  CombinedMarket,
  funnelOf,
  needsSellers,
  type Selection,
  SELLER_WINDOW,
  likeliestOf,
  SIGNAL_LOOKBACK,
  VOLUME_RATIO_MIN,
} from './selection.ts';
import { hybridScore, type Ranked, votes, rankedBy } from './strategies.ts';
import {
  type ConfluenceReading,
  confluenceSeries,
  type ConfluenceSeries,
  readConfluence,
} from '#quant/indicators/confluence.ts';
import { tradedSeries } from '#quant/panel/traded-series.ts';
import { isAboveFloors } from '#quant/universe/liquidity.ts';
import { isSoldOffByForeigners } from '../confluence-filter/seller-filter.ts';

/** Model F: names with a high learnt probability on which several of model D's signals agree. */
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

/** Computes the result of model F from a learnt market. */
export function combinedResult(
  input: Pick<
    ScreenInput<CombinedParams>,
    'panel' | 'features' | 'brokerFlow' | 'regime' | 'dataset' | 'params' | 'view'
  >,
  learnt: LearntMarket,
): ScreenOutput {
  const { panel, brokerFlow, params } = input;
  const market = new CombinedMarket(learnt.stocks, new ConfluenceMarket(panel, brokerFlow, learnt.day));
  const selection = market.select(params);
  const regime = input.regime().regime[learnt.day]!;
  const outcome = {
    params,
    selection,
    record: picksToRecord(stocksOf(selection), params, { horizonDays: HORIZON_DAYS, regime }),
    trace: { steps: selection.steps, names: market.traces(selection, params) },
    quality: learnt.quality(picksOfPastDays(params, panel, learnt.day)),
    empty:
      selection.picks.length === 0 ? combinedEmptyBlock(market, params, selection, learnt.asOf) : undefined,
  };
  return input.view === 'compact'
    ? compactView(input.features(), learnt, outcome)
    : fullView(input, learnt, outcome);
}

/** The days of broker rows that Intersection's seller filter reads. */
function brokerSpan(panel: Panel, params: CombinedParams, analysisDate: string): DaySpan | undefined {
  return needsSellers(params) ? spanUpTo(panel, analysisDate, SELLER_WINDOW.days) : undefined;
}

/** The data that both views show. */
interface Outcome {
  params: CombinedParams;
  selection: Selection;
  record: PicksToRecord;
  trace: { steps: Selection['steps']; names: NameTrace[] };
  quality: ModelQuality;
  empty: object | undefined;
}

/** The contract's fields. Each pick also has the two rates that its probability compares. */
export function compactView(
  table: FeatureTable,
  learnt: LearntMarket,
  { params, selection, record, trace, quality, empty }: Outcome,
): ScreenOutput {
  const { picks } = selection;
  const chances = picks.map(({ contender }) => contender.stock.chance);
  const said = notice(chanceToWin(chances, learnt.baseRate), winRecord(quality));
  const reasons = pickReasons(table, stocksOf(selection), learnt);
  const result = {
    model_id: ID,
    view: 'compact',
    as_of: learnt.asOf,
    pick_count: picks.length,
    levels: levelsOf(params),
    picks: picks.map((ranked, i) => ({
      ...compactPick(ranked, i + 1, params, learnt.asOf),
      reasons: reasons[i]!.reasons,
    })),
    model_quality: quality,
    notice: said,
    funnel: funnelOf(selection),
    ...(empty ? { empty } : {}),
  };
  const explanation = learntExplanation(table, learnt, { modelId: ID, notice: said, trace });
  const summary = summaryOf(learnt, stocksOf(selection));
  return { result, summary, record, explanation, ...modelOf(learnt) };
}

export function fullView(
  input: Pick<ScreenInput, 'panel' | 'features' | 'regime' | 'dataset'>,
  learnt: LearntMarket,
  { params, selection, record, trace, quality, empty }: Outcome,
): ScreenOutput {
  const { day } = learnt;
  const regime = input.regime().regime[day]!;
  const context = { panel: input.panel, day, regime, barriers: params };
  return fullResult(input, learnt, {
    modelId: ID,
    barriers: params,
    picks: stocksOf(selection),
    rows: selection.picks.map((ranked, i) => combinedRow(ranked, i + 1, params, context)),
    trace,
    quality,
    record,
    diag: { ...funnelOf(selection), strategy: params.strategy, regime },
    ...(empty ? { empty } : {}),
  });
}

function stocksOf({ picks }: Selection) {
  return picks.map(({ contender }) => contender.stock);
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
  const { stock, hit } = ranked.contender;
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
  const { contender } = ranked;
  const { score, fromProbability, fromRest } = shownScore(ranked);
  return {
    ...pickRow(contender.stock, { rank, score }, context),
    'Score From Probability': fromProbability,
    'Score From Signals': fromRest,
    Signals: contender.hit.reading.count,
    'Signal Detail': signalDetail(contender.hit.reading),
    'Hybrid Score': rounded(hybridScore(contender, params), 1),
    Strategy: params.strategy,
    ...(ranked.places ? { 'Strategy Votes': votes(ranked), ...placesRow(ranked.places) } : {}),
  };
}

/** The name's place in each strategy's list; null if the strategy does not pick it. */
function placesRow(places: NonNullable<Ranked['places']>) {
  return Object.fromEntries(STRATEGIES.map((strategy) => [`Rank ${strategy}`, places[strategy] ?? null]));
}

interface StockSignals {
  /** Calendar index of each bar, ascending. */
  day: Uint16Array;
  signals: ConfluenceSeries;
}

/**
 * The signals of model D that a stock had on past days. The signals of a bar depend only on bars up to it, so one computation
 * per stock serves every day.
 */
class SignalHistory {
  readonly #panel: Panel;
  readonly asOfDay: number;
  readonly #stocks = new Map<number, StockSignals>();

  constructor(panel: Panel, asOfDay: number) {
    this.#panel = panel;
    this.asOfDay = asOfDay;
  }

  /** `day` is a calendar index up to the analysed one, on which the ticker (index) traded. */
  readingOn(ticker: number, day: number): ConfluenceReading {
    const stock = this.#stocks.get(ticker) ?? this.#compute(ticker);
    return readConfluence(stock.signals, firstAtLeast(stock.day, day), SIGNAL_LOOKBACK);
  }

  #compute(ticker: number): StockSignals {
    const series = tradedSeries(this.#panel, ticker, this.asOfDay);
    const stock = { day: series.day, signals: confluenceSeries(series, VOLUME_RATIO_MIN) };
    this.#stocks.set(ticker, stock);
    return stock;
  }
}

/** The history of the day requested last: the next run usually asks for the same day. */
const histories = new WeakMap<Panel, SignalHistory>();

function historyOf(panel: Panel, asOfDay: number): SignalHistory {
  const known = histories.get(panel);
  const history = known?.asOfDay === asOfDay ? known : new SignalHistory(panel, asOfDay);
  histories.set(panel, history);
  return history;
}

/**
 * The names this run would have picked on a past day: above its floors, probable enough, with enough signals on that day, best
 * first by its strategy. Two limits: sellers of past days are judged by foreign trades alone, because a run reads broker rows
 * of recent days only; and names below the liquidity floor of training have no past forecasts.
 */
function picksOfPastDays(params: CombinedParams, panel: Panel, asOfDay: number): PicksOf<PastForecast> {
  const history = historyOf(panel, asOfDay);
  return (ofDay, day) => {
    const likely = ofDay.filter(
      (stock) => isAboveFloors(stock, params) && stock.probability >= params.min_probability,
    );
    const likeliest = likeliestOf(likely, params);
    const contenders = likely
      .map((stock) => ({ stock, reading: history.readingOn(stock.ticker, day) }))
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
