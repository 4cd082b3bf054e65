import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Trainer } from '#quant/learning/boosting/trainer.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { RegimeHistory } from '#quant/regime/regime.ts';
import type { RunErrorCode } from '#shared/runs/run-protocol.ts';
import type { Localised } from '#shared/text/localised.ts';
import { historyShortfall } from './data-needs.ts';
import type { RunExplanation } from './explain/run-explanation.ts';
import type { LearntMarket, LearntModel } from './learnt/learnt-market.ts';
import type { ModelCache } from './learnt/model-cache.ts';
import type { Origin } from './learnt/result.ts';
import type { PicksToRecord } from './picks/picks-to-record.ts';
import type { Stage } from './results/results.ts';

export type View = 'full' | 'compact';

/** The dataset version that a run reads. */
export interface DatasetLabel {
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
  /** Source of its broker rows: `none`, `real` or `synthetic`. */
  broker_data: string;
}

/** The parts of a dataset version that the thread keeps in memory. Each is computed when a run first asks for it. */
export interface MarketInMemory {
  panel: Panel;
  /** Regimes of the last day and of every earlier day. */
  regime: () => RegimeHistory;
  features: () => FeatureTable;
  trainer: () => Promise<Trainer>;
}

/** Parameters have been validated and completed by the models service against the declaration that `P` comes from. */
export interface ScreenInput<P = Record<string, unknown>> extends MarketInMemory {
  /** Broker flow of the regular market for at least the days of the screen's `brokerSpan`, as far as rows exist. */
  brokerFlow: BrokerFlow;
  /** Summaries of the broker rows of the regular market for at least the days of `brokerDaySpan`. */
  brokerDays: BrokerDays;
  /** The same for at least these days, read now if need be. Many days take memory, so ask only when there is something to learn. */
  brokerDaysOf: (span: DaySpan) => Promise<BrokerDays>;
  dataset: DatasetLabel;
  /** YYYY-MM-DD. The run analyses the last trading day on or before it. Set even for models without such a parameter. */
  analysisDate: string;
  params: P;
  view: View;
  /** Called between trees and from time to time in other long work. Returning true ends the run. */
  shouldStop: () => boolean;
  /** Cached models of earlier runs; if absent, nothing is reused. */
  modelCache?: ModelCache;
  /** Called at the end of each stage of the run. */
  mark?: (stage: Stage) => void;
  /**
   * Called with the learnt market, including every scored name of the day, for callers that compare forecasts with outcomes.
   */
  onLearnt?: (market: LearntMarket) => void;
}

export interface ScreenSummary {
  pick_count: number;
  /** Best first. */
  tickers: string[];
  /** Trading day analysed, YYYY-MM-DD. */
  target_date: string;
}

/** `tickers` best first. */
export function summaryOf(asOf: string, tickers: string[]): ScreenSummary {
  return { pick_count: tickers.length, tickers, target_date: asOf };
}

export interface ScreenOutput {
  /** The result for the caller, as JSON. */
  result: Record<string, unknown>;
  summary: ScreenSummary;
  /** The part that the record of past picks stores; absent if the screen picks nothing. */
  record?: PicksToRecord;
  /** Absent if the screen learns nothing. */
  model?: LearntModel;
  /** Data from which each name of the universe can be explained. */
  explanation?: RunExplanation;
  /** Whether this run learnt its model or reused an earlier one. The result is the same. Absent whenever `model` is. */
  origin?: Origin;
}

/** Runs one model. */
export interface Screen<P = Record<string, unknown>> {
  /** The days whose broker rows a run with these parameters reads, so that the worker can read them before the run. */
  brokerSpan?(this: void, panel: Panel, params: P, analysisDate: string): DaySpan | undefined;
  /** The days whose summaries of broker rows a run with these parameters reads even if it need not learn. */
  brokerDaySpan?(this: void, panel: Panel, params: P, analysisDate: string): DaySpan | undefined;
  /**
   * A pure function of its input: the same version, parameters and view give the same bytes, and no data after the analysed day
   * has any influence.
   * @throws RunFailure when there is no result for a reason the caller should read.
   * @throws TrainingCancelled when `shouldStop` returns true.
   */
  run(this: void, input: ScreenInput<P>): Promise<ScreenOutput>;
}

/** A run that cannot give a result for a reason its caller should read. The message, for logs, is in English. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: RunErrorCode;
  readonly reason: Localised;

  constructor(code: RunErrorCode, reason: Localised, options?: ErrorOptions) {
    super(reason.in.en, options);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Calendar index of the last trading day on or before `date`.
 * @throws RunFailure when fewer than `minDays` trading days of data lead up to it.
 */
export function analysedDay(panel: Panel, date: string, minDays: number): number {
  const day = panel.dayOnOrBefore(date);
  const tooShort = historyShortfall(panel.columns.dates, day, date, minDays);
  if (tooShort) throw new RunFailure('insufficient_data', tooShort);
  return day;
}

/**
 * The last `days` trading days up to the analysed one, as far back as the data goes. Undefined for a date before all data; the
 * run then reports that the date is too early.
 */
export function spanUpTo(panel: Panel, analysisDate: string, days: number): DaySpan | undefined {
  const lastDay = panel.dayOnOrBefore(analysisDate);
  return lastDay < 0 ? undefined : { firstDay: Math.max(0, lastDay + 1 - days), lastDay };
}
