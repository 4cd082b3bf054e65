import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { ConfluenceMarket } from '../confluence-market.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket } from '../learnt/learnt-market.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import { combinedEmptyBlock } from './combined-empty.ts';
import { CombinedMarket, needsSellers } from './combined-market.ts';
import { compactView, fullView } from './combined-views.ts';
import { SELLER_WINDOW, type CombinedParams } from './params.ts';
import { pastPicks } from './past-picks.ts';

const HORIZON_DAYS = 20;
const TRAIN_DAYS = 500;

/** Model F: names that are likely by what was learnt and on which several of model D's signals agree. */
export const modelFCombined = { modelId: 'model_f_combined', brokerSpan, run } satisfies Screen;

async function run(input: ScreenInput): Promise<ScreenOutput> {
  const { target_gain, stop_loss } = input.params as unknown as CombinedParams;
  const market = await learnMarket(input, {
    modelId: modelFCombined.modelId,
    version: 'v1',
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
  input: Pick<ScreenInput, 'panel' | 'brokerFlow' | 'regime' | 'dataset' | 'params' | 'view'>,
  learnt: LearntMarket,
): ScreenOutput {
  const { panel, brokerFlow } = input;
  const params = input.params as unknown as CombinedParams;
  const market = new CombinedMarket(learnt.stocks, new ConfluenceMarket(panel, brokerFlow, learnt.day));
  const selection = market.select(params);
  const admitted = pastPicks(learnt.past, params, panel, learnt.day);
  const outcome = {
    modelId: modelFCombined.modelId,
    params,
    selection,
    quality: learnt.quality((forecast) => admitted.has(forecast)),
    empty:
      selection.picks.length === 0 ? combinedEmptyBlock(market, params, selection, learnt.asOf) : undefined,
  };
  return input.view === 'compact' ? compactView(learnt, outcome) : fullView(input, learnt, outcome);
}

/** What the seller filter of Intersection looks at. */
function brokerSpan(
  panel: Panel,
  params: Record<string, unknown>,
  analysisDate: string,
): DaySpan | undefined {
  const lastDay = panel.dayOnOrBefore(analysisDate);
  const isRead = needsSellers(params as unknown as CombinedParams);
  return isRead ? { firstDay: Math.max(0, lastDay + 1 - SELLER_WINDOW.days), lastDay } : undefined;
}
