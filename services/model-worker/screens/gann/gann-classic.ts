import { CYCLE_FEATURES, cycleFeatures } from '#quant/cycle/cycle-features.ts';
import { CycleMarket } from '#quant/cycle/cycle-market.ts';
import { MarketSwings } from '#quant/cycle/market-swings.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { fullResult } from '../learnt/full-result.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { ExtraFeatures, LearningWish } from '../learnt/learnt-market.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import type { GannDay } from './gann-day.ts';
import { funnelOf, gannEmptyBlock } from './gann-empty.ts';
import { GannMarket, picksOfPastDays } from './gann-market.ts';
import { gannRow } from './gann-row.ts';
import { cycleSettings, type GannParams } from './params.ts';
import { unlearntDay } from './unlearnt-day.ts';

const HORIZON_DAYS = 20;
const TRAIN_DAYS = 500;

/** Model B: names on which time cycles and price levels of the Gann kind meet, likely by what was learnt. */
export const gannClassic = { modelId: 'gann_classic_v7', run } satisfies Screen;

async function run(input: ScreenInput): Promise<ScreenOutput> {
  const { panel, analysisDate } = input;
  const params = input.params as unknown as GannParams;
  const swings = new MarketSwings(panel, panel.dayOnOrBefore(analysisDate), params.pivot_window);
  const wish: LearningWish = {
    modelId: gannClassic.modelId,
    version: 'v7',
    analysisDate,
    targetGain: params.target_gain,
    stopLoss: params.stop_loss,
    horizonDays: HORIZON_DAYS,
    trainDays: TRAIN_DAYS,
    extraFeatures: cycleColumns(new CycleMarket(swings, cycleSettings(params)), input.features),
  };
  const market = params.use_ml ? await learnMarket(input, wish) : unlearntDay(input, wish);
  return gannResult(input, market, swings);
}

function cycleColumns(cycles: CycleMarket, features: () => FeatureTable): ExtraFeatures {
  return {
    names: CYCLE_FEATURES,
    read: (rows, out) => {
      const { columns } = features();
      const ticker = Uint16Array.from(rows, (row) => columns.ticker[row]!);
      const panelRow = Uint32Array.from(rows, (row) => columns.panelRow[row]!);
      cycleFeatures(cycles, { ticker, panelRow }, out);
    },
  };
}

/** What model B makes of a market; `swings` up to its day, of the run's pivot window. */
export function gannResult(
  input: Pick<ScreenInput, 'panel' | 'regime' | 'dataset' | 'params'>,
  day: GannDay,
  swings: MarketSwings,
): ScreenOutput {
  const params = input.params as unknown as GannParams;
  const market = new GannMarket(day, swings);
  const selection = market.select(params);
  const { picks } = selection;
  const regime = input.regime().regime[day.day]!;
  const context = { panel: input.panel, day: day.day, regime, barriers: params };
  return fullResult(input, day, {
    modelId: gannClassic.modelId,
    barriers: params,
    picks: picks.map(({ stock }) => stock),
    rows: picks.map((pick) => gannRow(pick, day.asOf, context)),
    quality: day.quality(picksOfPastDays(swings, params)),
    diag: { ...funnelOf(selection), regime, is_learnt: params.use_ml },
    ...(picks.length === 0 ? { empty: gannEmptyBlock(market, params, selection, day.asOf) } : {}),
  });
}
