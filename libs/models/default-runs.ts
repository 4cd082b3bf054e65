import type { Barriers } from '#quant/labels/triple-barrier.ts';
import { defaultsOf } from './inputs/parameters.ts';
import { MODELS } from './registry.ts';

/** A run with the defaults of a model that learns. */
export interface DefaultRun {
  modelId: string;
  params: Record<string, unknown>;
}

/** @param tickers stocks that trade on the last day */
export function defaultRuns(tickers: readonly string[]): DefaultRun[] {
  return MODELS.filter(({ learns }) => learns).map((model) => ({
    modelId: model.id,
    params: {
      ...defaultsOf(model.params),
      // What is trained does not depend on the positions, but a run without any would fail earlier.
      ...('positions' in model.params && model.examples(tickers)[0]?.params),
    },
  }));
}

/** The different barriers whose outcomes runs with the defaults learn from. */
export function defaultBarriers(): Barriers[] {
  const barriers = defaultRuns([]).flatMap(({ modelId, params }) => {
    const { target_gain: targetGain, stop_loss: stopLoss } = params;
    const horizonDays = MODELS.find(({ id }) => id === modelId)?.learnsFrom?.(params)?.horizonDays;
    const isOfBarriers = typeof targetGain === 'number' && typeof stopLoss === 'number';
    return isOfBarriers && horizonDays !== undefined ? [{ targetGain, stopLoss, horizonDays }] : [];
  });
  return [...new Map(barriers.map((each) => [JSON.stringify(each), each])).values()];
}
