import type { DaySpan } from '#quant/panel/ranges.ts';
import type { CombinedPick, CombinedRow } from './result.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ConfluenceMarket, signalDetail } from '../confluence-filter/selection.ts';
import { rounded } from '../display.ts';
import type { NameTrace } from '../funnel.ts';
import { fullResult, learntExplanation, modelOf, summaryOf } from '../learnt/full-result.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket, ModelQuality } from '../learnt/learnt-market.ts';
import { pickReasons } from '../picks/pick-reasons.ts';
import { levelsOf, pickRow, priceLevels, type RowContext, tickPrices, winChance } from '../picks/pick-row.ts';
import { type PicksToRecord, picksToRecord } from '../picks/picks-to-record.ts';
import { notice, PROBABILITY, winRecord } from '../reasons/notice.ts';
import { type Screen, type ScreenInput, type ScreenOutput, spanUpTo } from '../screen.ts';
import { combined, type CombinedParams, STRATEGIES } from './model.ts';
import { picksOfPastDays } from './past-picks.ts';
import {
  combinedEmptyBlock,
  CombinedMarket,
  funnelOf,
  needsSellers,
  type Selection,
  SELLER_WINDOW,
} from './selection.ts';
import { hybridScore, type Ranked, votes } from './strategies.ts';

const HORIZON_DAYS = 20;
const TRAIN_DAYS = 500;

/** Model F: names that are likely by what was learnt and on which several of model D's signals agree. */
export const screen: Screen<CombinedParams> = { brokerSpan, run };

async function run(input: ScreenInput<CombinedParams>): Promise<ScreenOutput> {
  const { target_gain, stop_loss } = input.params;
  const market = await learnMarket(input, {
    modelId: combined.id,
    version: combined.version,
    analysisDate: input.analysisDate,
    targetGain: target_gain,
    stopLoss: stop_loss,
    horizonDays: HORIZON_DAYS,
    trainDays: TRAIN_DAYS,
  });
  return combinedResult(input, market);
}

/** What model F makes of a learnt market. */
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

/** What the seller filter of Intersection looks at. */
function brokerSpan(panel: Panel, params: CombinedParams, analysisDate: string): DaySpan | undefined {
  return needsSellers(params) ? spanUpTo(panel, analysisDate, SELLER_WINDOW.days) : undefined;
}

/** What both views tell. */
interface Outcome {
  params: CombinedParams;
  selection: Selection;
  record: PicksToRecord;
  trace: { steps: Selection['steps']; names: NameTrace[] };
  quality: ModelQuality;
  empty: object | undefined;
}

/** The contract's fields; picks say besides what their probability compares. */
export function compactView(
  table: FeatureTable,
  learnt: LearntMarket,
  { params, selection, record, trace, quality, empty }: Outcome,
): ScreenOutput {
  const { picks } = selection;
  const said = notice(PROBABILITY, winRecord(quality));
  const reasons = pickReasons(table, stocksOf(selection), learnt);
  const result = {
    model_id: combined.id,
    view: 'compact',
    as_of: learnt.asOf,
    pick_count: picks.length,
    levels: levelsOf(params),
    picks: picks.map((ranked, i) => ({ ...compactPick(ranked, params), reasons: reasons[i]!.reasons })),
    model_quality: quality,
    notice: said,
    funnel: funnelOf(selection),
    ...(empty ? { empty } : {}),
  };
  const explanation = learntExplanation(table, learnt, { modelId: combined.id, notice: said, trace });
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
    modelId: combined.id,
    barriers: params,
    picks: stocksOf(selection),
    rows: selection.picks.map((ranked) => combinedRow(ranked, params, context)),
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

/** A pick of the compact view: the contract's fields and what `probability` compares, numbers as numbers. */
function compactPick(
  { contender: { stock, hit } }: Ranked,
  params: CombinedParams,
): Omit<CombinedPick, 'reasons'> {
  const levels = priceLevels(stock.close, params);
  return {
    ticker: stock.code,
    close: stock.close,
    probability: stock.probability,
    ...winChance(stock),
    signals: hit.reading.count,
    ...levels,
    tick_prices: tickPrices(levels, stock.close),
  };
}

/** A pick of the full view. `Score` is what the strategy ranks by; of Compare All, which ranks by votes, the hybrid score. */
function combinedRow(ranked: Ranked, params: CombinedParams, context: RowContext): CombinedRow {
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
