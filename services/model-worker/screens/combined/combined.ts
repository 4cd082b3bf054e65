import { ConfluenceMarket } from '../confluence-market.ts';
import { learnMarket } from '../learnt/learn-market.ts';
import type { LearntMarket } from '../learnt/learnt-market.ts';
import type { DaysRead, Screen, ScreenInput, ScreenOutput } from '../screen.ts';
import { spanUpTo } from '../span-up-to.ts';
import { combinedEmptyBlock } from './combined-empty.ts';
import { CombinedMarket, needsSellers } from './combined-market.ts';
import { compactView, fullView } from './combined-views.ts';
import { SELLER_WINDOW, type CombinedParams } from './params.ts';
import { picksOfPastDays } from './past-picks.ts';

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
  const outcome = {
    modelId: modelFCombined.modelId,
    params,
    selection,
    quality: learnt.quality(picksOfPastDays(params, panel, learnt.day)),
    empty:
      selection.picks.length === 0 ? combinedEmptyBlock(market, params, selection, learnt.asOf) : undefined,
  };
  return input.view === 'compact' ? compactView(learnt, outcome) : fullView(input, learnt, outcome);
}

/** What the seller filter of Intersection looks at. */
function brokerSpan(...[panel, params, analysisDate]: Parameters<DaysRead>): ReturnType<DaysRead> {
  const isRead = needsSellers(params as unknown as CombinedParams);
  return isRead ? spanUpTo(panel, analysisDate, SELLER_WINDOW.days) : undefined;
}
