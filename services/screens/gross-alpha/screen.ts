import { type FlowFigures, StockFlow } from '#quant/broker-features/stock-flow.ts';
import type { FlowSettings } from '#quant/broker-features/row-windows.ts';
import type { GrossRow } from './result.ts';
import { abbreviated, rounded, signedPercent } from '../display.ts';
import { fullResult } from '../learnt/full-result.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket, ScoredStock } from '../learnt/learnt-market.ts';
import { pickRow, type RowContext } from '../picks/pick-row.ts';
import { picksToRecord } from '../picks/picks-to-record.ts';
import type { RankedStock } from '../picks/ranking.ts';
import { leastDays } from '../learnt/training.ts';
import { analysedDay, type Screen, type ScreenInput, type ScreenOutput } from '../screen.ts';
import { type BrokerCoverage, brokerDaySpan, HORIZON_DAYS, requireBrokerRows } from './broker-rows.ts';
import { grossColumns } from './broker-rows.ts';
import { grossAlpha, type GrossAlphaParams } from './model.ts';
import { funnelOf, grossEmptyBlock, GrossMarket, tracesOf } from './selection.ts';

/** Model C: names that are likely by what was learnt, the gross trades of every broker included. */
export const screen: Screen<GrossAlphaParams> = { brokerDaySpan, run };

async function run(input: ScreenInput<GrossAlphaParams>): Promise<ScreenOutput> {
  const { panel, analysisDate, brokerDays, params, shouldStop } = input;
  const day = analysedDay(panel, analysisDate, leastDays(HORIZON_DAYS));
  const table = input.features();
  const coverage = requireBrokerRows(table, brokerDays, day, params);
  const market = await learnMarket(input, {
    modelId: grossAlpha.id,
    version: grossAlpha.version,
    analysisDate,
    targetGain: params.target_gain,
    stopLoss: params.stop_loss,
    horizonDays: HORIZON_DAYS,
    trainDays: params.train_days,
    extraFeatures: grossColumns(table, brokerDays).extraFeatures(settingsOf(params), shouldStop),
  });
  return grossAlphaResult(input, market, coverage);
}

/** What model C makes of a learnt market. */
export function grossAlphaResult(
  input: Pick<
    ScreenInput<GrossAlphaParams>,
    'panel' | 'features' | 'regime' | 'brokerDays' | 'dataset' | 'params'
  >,
  learnt: LearntMarket,
  coverage: BrokerCoverage,
): ScreenOutput {
  const { panel, brokerDays, params } = input;
  const { day, asOf } = learnt;
  const flow = new StockFlow(brokerDays, settingsOf(params));
  const market = new GrossMarket(learnt, flow, groupPlaces(input, learnt));
  const selection = market.select(params);
  const { picks } = selection;
  const picked = picks.map(({ stock }) => stock);
  const regime = input.regime().regime[day]!;
  const context = { panel, day, regime, barriers: params };
  return fullResult(input, learnt, {
    modelId: grossAlpha.id,
    barriers: params,
    picks: picked,
    trace: { steps: selection.steps, names: tracesOf(selection, params) },
    rows: picks.map((pick) => grossRow(pick, flow.figures(pick.stock.ticker, day), context)),
    extraFeatures: grossColumns(input.features(), brokerDays).extraFeatures(settingsOf(params), () => false),
    quality: learnt.quality((ofDay, pastDay) => market.picksOf(ofDay, pastDay, params)),
    record: picksToRecord(picked, params, { horizonDays: HORIZON_DAYS, regime }),
    diag: { ...funnelOf(selection), regime, broker_group: params.broker_group, broker_coverage: coverage },
    ...(picks.length === 0 ? { empty: grossEmptyBlock(market, params, selection, asOf) } : {}),
  });
}

/** By row of the feature table. */
function groupPlaces(
  { features, brokerDays, params }: Pick<ScreenInput<GrossAlphaParams>, 'features' | 'brokerDays' | 'params'>,
  { stocks, past }: LearntMarket,
): Map<number, number> {
  const columns = grossColumns(features(), brokerDays);
  const settings = settingsOf(params);
  const placesOf = (names: readonly ScoredStock[]): [number, number][] => {
    const places = columns.groupPlaces(
      Uint32Array.from(names, ({ row }) => row),
      settings,
    );
    return names.map(({ row }, i) => [row, places[i]!]);
  };
  return new Map([...placesOf(past), ...placesOf(stocks)]);
}

function settingsOf({ flow_window, broker_group }: GrossAlphaParams): FlowSettings {
  return { days: flow_window, group: broker_group };
}

/**
 * A pick. `CR5 Buy` (0 to 1), `HHI Gap`, `Retail Share`, `Avg Cost Gap` and `Top Buyer` are of the run's window, the gap
 * against what the net buyers of its group paid.
 */
function grossRow({ stock, score }: RankedStock, figures: FlowFigures, context: RowContext): GrossRow {
  const { top5Buy, hhiGap, bandarNet5, retailShare, entryGap, topBuyer } = figures;
  return {
    ...pickRow(stock, score, context),
    'CR5 Buy': top5Buy === null ? null : rounded(top5Buy, 3),
    'HHI Gap': hhiGap === null ? null : rounded(hhiGap, 4),
    'Bandar Net 5D': bandarNet5 === null ? '-' : abbreviated(bandarNet5),
    'Retail Share': retailShare === null ? '-' : `${(100 * retailShare).toFixed(1)}%`,
    'Avg Cost Gap': entryGap === null ? '-' : signedPercent(entryGap),
    'Top Buyer': topBuyer ?? '-',
  };
}
