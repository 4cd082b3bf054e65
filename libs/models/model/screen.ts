import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { RunExplanation } from '../picks/run-explanation.ts';
import type { LearningInput } from '../trained/learning-input.ts';
import type { TrainedModel } from '../trained/trained-market.ts';
import type { Origin } from '../trained/result.ts';
import type { PicksToRecord } from '../picks/picks-to-record.ts';

/** Parameters have been validated and completed by the models service against the declaration that `P` comes from. */
export interface ScreenInput<P = Record<string, unknown>> extends LearningInput {
  /** Broker flow of the regular market for at least the days of the screen's `brokerSpan`, as far as rows exist. */
  brokerFlow: BrokerFlow;
  /** Summaries of the broker rows of the regular market for at least the days of `brokerDaySpan`. */
  brokerDays: BrokerDays;
  /** The same for at least these days, read now if need be. Many days take memory, so ask only when there is something to learn. */
  brokerDaysOf: (span: DaySpan) => Promise<BrokerDays>;
  /** YYYY-MM-DD. The run analyses the last trading day on or before it. Set even for models without such a parameter. */
  analysisDate: string;
  params: P;
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
  model?: TrainedModel;
  /** Data from which each name of the universe can be explained. */
  explanation?: RunExplanation;
  /** Whether this run trained its model or reused an earlier one. The result is the same. Absent whenever `model` is. */
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
