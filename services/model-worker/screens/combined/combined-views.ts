import { fullResult, summaryOf } from '../learnt/full-result.ts';
import type { LearntMarket, ModelQuality } from '../learnt/learnt-market.ts';
import { levelsOf } from '../learnt/levels.ts';
import type { ScreenInput, ScreenOutput } from '../screen.ts';
import { funnelOf } from './combined-empty.ts';
import type { Selection } from './combined-market.ts';
import { combinedRow, compactPick } from './combined-row.ts';
import type { CombinedParams } from './params.ts';

/** What both views tell. */
interface Outcome {
  modelId: string;
  params: CombinedParams;
  selection: Selection;
  quality: ModelQuality;
  empty: object | undefined;
}

/** The contract's fields and no others. */
export function compactView(
  learnt: LearntMarket,
  { modelId, params, selection, quality, empty }: Outcome,
): ScreenOutput {
  const { picks } = selection;
  const result = {
    model_id: modelId,
    view: 'compact',
    as_of: learnt.asOf,
    pick_count: picks.length,
    levels: levelsOf(params),
    picks: picks.map((ranked) => compactPick(ranked, params)),
    model_quality: inNumbers(quality),
    funnel: funnelOf(selection),
    ...(empty ? { empty } : {}),
  };
  return { result, summary: summaryOf(learnt, stocksOf(selection)), model: learnt.model };
}

export function fullView(
  input: Pick<ScreenInput, 'panel' | 'regime' | 'dataset'>,
  learnt: LearntMarket,
  { modelId, params, selection, quality, empty }: Outcome,
): ScreenOutput {
  const { day } = learnt;
  const regime = input.regime().regime[day]!;
  const context = { panel: input.panel, day, regime, barriers: params };
  return fullResult(input, learnt, {
    modelId,
    barriers: params,
    picks: stocksOf(selection),
    rows: selection.picks.map((ranked) => combinedRow(ranked, params, context)),
    quality,
    diag: { ...funnelOf(selection), strategy: params.strategy, regime },
    ...(empty ? { empty } : {}),
  });
}

function stocksOf({ picks }: Selection) {
  return picks.map(({ contender }) => contender.stock);
}

/** The contract's fields are numbers: of nothing they are 0, beside `candidates` that say so. */
function inNumbers({ win_rate, payoff, candidates }: ModelQuality) {
  return { win_rate: win_rate ?? 0, payoff: payoff ?? 0, candidates };
}
