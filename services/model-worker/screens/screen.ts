import type { BrokerDays } from '#quant/broker-days/broker-days.ts';
import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Trainer } from '#quant/learning/boosting/trainer.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { RegimeHistory } from '#quant/regime/regime-history.ts';
import type { LearntMarket } from './learnt/learnt-market.ts';

/** Which dataset version a run reads. */
export interface DatasetLabel {
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
  /** Where its broker rows come from: `none`, `real` or `synthetic`. */
  broker_data: string;
}

/** What the thread keeps of a dataset version; each is made when a run first asks for it. */
export interface MarketInMemory {
  panel: Panel;
  /** Of the last day, and of every day before it. */
  regime: () => RegimeHistory;
  features: () => FeatureTable;
  trainer: () => Promise<Trainer>;
}

export interface ScreenInput extends MarketInMemory {
  /** Of the regular market, of at least the days that the screen's `brokerSpan` names, as far as there are any. */
  brokerFlow: BrokerFlow;
  /** Summaries of the broker rows of the regular market, of at least the days that `brokerDaySpan` names. */
  brokerDays: BrokerDays;
  dataset: DatasetLabel;
  /** YYYY-MM-DD: the last trading day on or before it is analysed. Also of models that have no such parameter. */
  analysisDate: string;
  /** As the models service has validated and completed them. */
  params: Record<string, unknown>;
  view: 'full' | 'compact';
  /** Asked between trees, and now and then in what else takes long; true ends the run. */
  shouldStop: () => boolean;
  /** Told what was learnt, every scored name of the day included, for those who judge forecasts by what came of them. */
  onLearnt?: (market: LearntMarket) => void;
}

export interface ScreenSummary {
  pick_count: number;
  /** Best first. */
  tickers: string[];
  /** Trading day analysed, YYYY-MM-DD. */
  target_date: string;
}

/** A learnt model as it is kept beside the result. */
export interface LearntModel {
  /** The graph, with its feature names, training window, dataset version, seed and fingerprint in its metadata. */
  onnx: Uint8Array;
  /** SHA-256 over everything the result depends on, in hex. */
  fingerprint: string;
}

export interface ScreenOutput {
  /** What the caller gets, as JSON. */
  result: Record<string, unknown>;
  summary: ScreenSummary;
  /** Absent from a screen that learns nothing. */
  model?: LearntModel;
}

/** Which days a run with these parameters reads of something, so that it can be read before it; undefined for none. */
export type DaysRead = (
  panel: Panel,
  params: Record<string, unknown>,
  analysisDate: string,
) => DaySpan | undefined;

/**
 * One model. `brokerSpan` and `brokerDaySpan` name the days whose broker rows, and whose summaries of them, it reads.
 * `run` is a pure function of its input: the same version, parameters and view give the same bytes, and nothing after
 * the analysed day has any influence.
 * @throws RunFailure when there is no result for a reason the caller should read.
 * @throws TrainingCancelled when `shouldStop` says so.
 */
export interface Screen {
  modelId: string;
  brokerSpan?: DaysRead;
  brokerDaySpan?: DaysRead;
  run: (input: ScreenInput) => Promise<ScreenOutput>;
}
