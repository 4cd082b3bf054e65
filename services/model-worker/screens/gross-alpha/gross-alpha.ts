import type { FlowSettings } from '#quant/gross-flow/row-windows.ts';
import { StockFlow } from '#quant/gross-flow/stock-flow.ts';
import { analysedDay } from '../analysed-day.ts';
import { fullResult } from '../learnt/full-result.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import { leastDays } from '../learnt/learning-plan.ts';
import type { LearntMarket, ScoredStock } from '../learnt/learnt-market.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import { requireBrokerRows, type BrokerCoverage } from './broker-coverage.ts';
import { grossColumns } from './gross-columns.ts';
import { funnelOf, grossEmptyBlock } from './gross-empty.ts';
import { GrossMarket } from './gross-market.ts';
import { grossRow } from './gross-row.ts';
import type { GrossAlphaParams } from './params.ts';
import { brokerDaySpan, HORIZON_DAYS } from './spans.ts';

/** Model C: names that are likely by what was learnt, the gross trades of every broker included. */
export const grossAlpha = { modelId: 'gross_alpha_v10', brokerDaySpan, run } satisfies Screen;

async function run(input: ScreenInput): Promise<ScreenOutput> {
  const { panel, analysisDate, brokerDays, shouldStop } = input;
  const params = input.params as unknown as GrossAlphaParams;
  const day = analysedDay(panel, analysisDate, leastDays(HORIZON_DAYS));
  const table = input.features();
  const coverage = requireBrokerRows(table, brokerDays, day, params);
  const market = await learnMarket(input, {
    modelId: grossAlpha.modelId,
    version: 'v10',
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
  input: Pick<ScreenInput, 'panel' | 'features' | 'regime' | 'brokerDays' | 'dataset' | 'params'>,
  learnt: LearntMarket,
  coverage: BrokerCoverage,
): ScreenOutput {
  const { panel, brokerDays } = input;
  const { day, asOf } = learnt;
  const params = input.params as unknown as GrossAlphaParams;
  const flow = new StockFlow(brokerDays, settingsOf(params));
  const market = new GrossMarket(learnt, flow, groupPlaces(input, learnt));
  const selection = market.select(params);
  const { picks } = selection;
  const regime = input.regime().regime[day]!;
  const context = { panel, day, regime, barriers: params };
  return fullResult(input, learnt, {
    modelId: grossAlpha.modelId,
    barriers: params,
    picks: picks.map(({ stock }) => stock),
    rows: picks.map((pick) => grossRow(pick, flow.figures(pick.stock.ticker, day), context)),
    quality: learnt.quality((ofDay, pastDay) => market.picksOf(ofDay, pastDay, params)),
    diag: { ...funnelOf(selection), regime, broker_group: params.broker_group, broker_coverage: coverage },
    ...(picks.length === 0 ? { empty: grossEmptyBlock(market, params, selection, asOf) } : {}),
  });
}

/** By row of the feature table. */
function groupPlaces(
  { features, brokerDays, params }: Pick<ScreenInput, 'features' | 'brokerDays' | 'params'>,
  { stocks, past }: LearntMarket,
): Map<number, number> {
  const columns = grossColumns(features(), brokerDays);
  const settings = settingsOf(params as unknown as GrossAlphaParams);
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
