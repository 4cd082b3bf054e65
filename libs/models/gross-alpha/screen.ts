import { type FlowFigures, StockFlow } from '#quant/broker-features/stock-flow.ts';
import type { FlowSettings } from '#quant/broker-features/row-windows.ts';
import type { GrossRow } from './result.ts';
import { abbreviated, signedPercent } from '../results/display.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { learnMarket } from '../trained/learn-market.ts';
import type { TrainedMarket, ScoredStock } from '../trained/trained-market.ts';
import { fullPicksOutput } from '../model/picks-output.ts';
import { pickRow, type RowContext } from '../picks/pick-row.ts';
import { type RankedStock, shownScore } from '../picks/ranking.ts';
import { EMBARGO_DAYS } from '../inputs/history.ts';
import { analysedDay, RunFailure, spanUpTo } from '../inputs/run-failure.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../model/screen.ts';
import { brokerShortfall, type BrokerSpan } from '../inputs/data-needs.ts';
import { grossBrokerNeeds, HORIZON_DAYS } from './broker-needs.ts';
import { grossColumns } from './gross-columns.ts';
import { groupTrades, tradeFigures } from './group-trades.ts';
import { type GrossAlphaParams, ID, VERSION, daysNeeded } from './params.ts';
import { grossRules, whyNone } from './selection.ts';
import { Selection, wholeMarket } from '../picks/selection.ts';
import { LOOKBACK_DAYS } from '#quant/broker-features/gross-features.ts';
import { brokerCoverage, type Coverage } from '#quant/broker-features/gross-ranks.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';

/** Model C: names with a high model probability, where the model also learns from the gross trades of every broker. */
export const screen: Screen<GrossAlphaParams> = { brokerDaySpan, run };

async function run(input: ScreenInput<GrossAlphaParams>): Promise<ScreenOutput> {
  const { panel, analysisDate, params, shouldStop } = input;
  const day = analysedDay(panel, analysisDate, daysNeeded());
  const table = input.features();
  const settings = settingsOf(params);
  let { brokerDays } = input;
  let coverage: BrokerCoverage | undefined;
  const features = () => grossColumns(table, brokerDays).extraFeatures(settings, shouldStop);
  const market = await learnMarket(input, {
    modelId: ID,
    version: VERSION,
    analysisDate,
    leastDays: daysNeeded(),
    targetGain: params.target_gain,
    stopLoss: params.stop_loss,
    horizonDays: HORIZON_DAYS,
    trainDays: params.train_days,
    extraFeatures: { ...features(), read: (rows, out) => features().read(rows, out) },
    beforeLearning: async () => {
      const span = learningSpan(panel, analysisDate, params);
      if (span) brokerDays = await input.brokerDaysOf(span);
      input.mark?.('broker_rows');
      coverage = requireBrokerRows(table, brokerDays, day, params);
    },
    figuresOf: (rows) => tradeFigures(table, brokerDays, settings, rows),
    facts: () => ({ ...coverage }),
  });
  return grossAlphaResult(input, market);
}

/** Computes the result of model C from a trained market. */
export function grossAlphaResult(
  input: Pick<
    ScreenInput<GrossAlphaParams>,
    'panel' | 'features' | 'regime' | 'brokerDays' | 'dataset' | 'params'
  >,
  trained: TrainedMarket,
): ScreenOutput {
  const { brokerDays, params } = input;
  const flow = new StockFlow(brokerDays, settingsOf(params));
  const rules = grossRules(groupTrades(trained));
  const selection = new Selection(trained.stocks, params, () => rules);
  const ofPastDays = wholeMarket(params);
  return fullPicksOutput(input, trained, {
    modelId: ID,
    horizonDays: HORIZON_DAYS,
    selection,
    row: (pick, rank, context) =>
      grossRow({ pick, rank }, flow.figures(pick.stock.ticker, context.day), context),
    quality: trained.quality(
      (ofDay: readonly ScoredStock[]) => new Selection(ofDay, ofPastDays, () => rules).stocks,
    ),
    diag: ({ regime }) => ({
      regime,
      broker_group: params.broker_group,
      broker_coverage: trained.kept.facts,
    }),
    whyNone: () => whyNone(selection),
  });
}

function settingsOf({ flow_window, broker_group }: GrossAlphaParams): FlowSettings {
  return { days: flow_window, group: broker_group };
}

/**
 * A pick. `CR5 Buy` (0 to 1), `HHI Gap`, `Retail Share`, `Avg Cost Gap` and `Top Buyer` cover the run's window. `Avg Cost Gap`
 * is relative to the price that the net buyers of its group paid.
 */
function grossRow(
  { pick, rank }: { pick: RankedStock; rank: number },
  figures: FlowFigures,
  context: RowContext,
): GrossRow {
  const { top5Buy, hhiGap, bandarNet5, retailShare, entryGap, topBuyer } = figures;
  const { score, fromProbability, fromRest } = shownScore(pick);
  return {
    ...pickRow(pick.stock, { rank, score }, context),
    'Score From Probability': fromProbability,
    'Score From Group': fromRest,
    'CR5 Buy': top5Buy === null ? null : toDecimals(top5Buy, 3),
    'HHI Gap': hhiGap === null ? null : toDecimals(hhiGap, 4),
    'Bandar Net 5D': bandarNet5 === null ? '-' : abbreviated(bandarNet5),
    'Retail Share': retailShare === null ? '-' : `${(100 * retailShare).toFixed(1)}%`,
    'Avg Cost Gap': entryGap === null ? '-' : signedPercent(entryGap),
    'Top Buyer': topBuyer ?? '-',
  };
}

/** The days of the windows of the analysed day. */
function brokerDaySpan(panel: Panel, _params: GrossAlphaParams, analysisDate: string): DaySpan | undefined {
  return spanUpTo(panel, analysisDate, LOOKBACK_DAYS + 1);
}

/** The same, and the days that a run learns from, with their windows. */
function learningSpan(
  panel: Panel,
  analysisDate: string,
  { train_days }: Pick<GrossAlphaParams, 'train_days'>,
): DaySpan | undefined {
  return spanUpTo(panel, analysisDate, LOOKBACK_DAYS + train_days + EMBARGO_DAYS + HORIZON_DAYS);
}

/** Share of the stock-days of liquid names that have complete broker rows, in percent with one decimal. */
interface BrokerCoverage {
  window_pct: number;
  training_pct: number;
}

/** @throws RunFailure when broker rows cover too little of the window or of the training days. */
function requireBrokerRows(
  table: FeatureTable,
  brokerDays: BrokerDays,
  day: number,
  params: GrossAlphaParams,
): BrokerCoverage {
  const [window_pct, training_pct] = grossBrokerNeeds
    .spans(params, day)
    .map((span) => require(table, brokerDays, span));
  return { window_pct: window_pct!, training_pct: training_pct! };
}

function require(table: FeatureTable, brokerDays: BrokerDays, { name, days }: BrokerSpan): number {
  const { leastPct } = grossBrokerNeeds;
  const coverage = brokerCoverage(table, brokerDays, days);
  if (100 * coverage.known >= leastPct * coverage.stockDays) return percent(coverage);
  const { dates } = table.panel.columns;
  const span = { name, first: dates[days.firstDay]!, last: dates[days.lastDay]! };
  throw new RunFailure('insufficient_data', brokerShortfall(span, roundedDown(coverage), leastPct));
}

/** 100 if there are no stock-days. */
function percent({ known, stockDays }: Coverage): number {
  return stockDays === 0 ? 100 : toDecimals((100 * known) / stockDays, 1);
}

/** Rounds down, so that an insufficient share never looks sufficient. */
function roundedDown({ known, stockDays }: Coverage): number {
  return Math.floor((1000 * known) / stockDays) / 10;
}
