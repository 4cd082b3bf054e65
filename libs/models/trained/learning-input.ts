import type { DatasetLabel, MarketInMemory } from '../inputs/market-in-memory.ts';
import type { View } from '../results/full-view.ts';
import type { Stage } from '../results/results.ts';
import type { TrainedMarket } from './trained-market.ts';
import type { ModelCache } from './model-cache.ts';

/** What a run gives to learning besides its parameters. */
export interface LearningInput extends MarketInMemory {
  dataset: DatasetLabel;
  view: View;
  /** Called between trees and from time to time in other long work. Returning true ends the run. */
  shouldStop: () => boolean;
  /** Cached models of earlier runs; if absent, nothing is reused. */
  modelCache?: ModelCache;
  /** Called at the end of each stage of the run. */
  mark?: (stage: Stage) => void;
  /**
   * Called with the trained market, including every scored name of the day, for callers that compare forecasts with outcomes.
   */
  onTrained?: (market: TrainedMarket) => void;
}
