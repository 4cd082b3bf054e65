import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { Trainer } from '#quant/learning/boosting/trainer.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { RegimeHistory } from '#quant/regime/regime.ts';
import { localised, type Localised } from '#shared/text/localised.ts';
import type { RunExplanation } from './explain/run-explanation.ts';
import type { LearntMarket, LearntModel } from './learnt/learnt-market.ts';
import type { Lessons } from './learnt/lessons.ts';
import type { Origin } from './learnt/result.ts';
import type { PicksToRecord } from './picks/picks-to-record.ts';
import type { Stage } from './results.ts';

export type View = 'full' | 'compact';

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

/** Parameters as the models service has validated and completed them, against the declaration that `P` comes from. */
export interface ScreenInput<P = Record<string, unknown>> extends MarketInMemory {
  /** Of the regular market, of at least the days that the screen's `brokerSpan` names, as far as there are any. */
  brokerFlow: BrokerFlow;
  /** Summaries of the broker rows of the regular market, of at least the days that `brokerDaySpan` names. */
  brokerDays: BrokerDays;
  dataset: DatasetLabel;
  /** YYYY-MM-DD: the last trading day on or before it is analysed. Also of models that have no such parameter. */
  analysisDate: string;
  params: P;
  view: View;
  /** Asked between trees, and now and then in what else takes long; true ends the run. */
  shouldStop: () => boolean;
  /** What earlier runs have learnt; nothing is used again where it is absent. */
  lessons?: Lessons;
  /** Called at the end of each stage of the run. */
  mark?: (stage: Stage) => void;
  /** Called with what was learnt, every scored name of the day included, for those who judge forecasts by what came of them. */
  onLearnt?: (market: LearntMarket) => void;
}

export interface ScreenSummary {
  pick_count: number;
  /** Best first. */
  tickers: string[];
  /** Trading day analysed, YYYY-MM-DD. */
  target_date: string;
}

export interface ScreenOutput {
  /** What the caller gets, as JSON. */
  result: Record<string, unknown>;
  summary: ScreenSummary;
  /** What the record of past picks keeps; absent from a screen that picks nothing. */
  record?: PicksToRecord;
  /** Absent from a screen that learns nothing. */
  model?: LearntModel;
  /** By which each name of the universe can be explained. */
  explanation?: RunExplanation;
  /** Whether the run learnt its model, or an earlier one did. The result is the same; absent like `model`. */
  origin?: Origin;
}

/** Runs one model. */
export interface Screen<P = Record<string, unknown>> {
  /** The days whose broker rows a run with these parameters reads, so that they can be read before it. */
  brokerSpan?(this: void, panel: Panel, params: P, analysisDate: string): DaySpan | undefined;
  /** The same of the summaries of broker rows. */
  brokerDaySpan?(this: void, panel: Panel, params: P, analysisDate: string): DaySpan | undefined;
  /**
   * A pure function of its input: the same version, parameters and view give the same bytes, and nothing after the
   * analysed day has any influence.
   * @throws RunFailure when there is no result for a reason the caller should read.
   * @throws TrainingCancelled when `shouldStop` says so.
   */
  run(this: void, input: ScreenInput<P>): Promise<ScreenOutput>;
}

/** A run that cannot give a result for a reason its caller should read. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly reason: Localised;

  constructor(reason: Localised, options?: ErrorOptions) {
    super(reason.in.id, options);
    this.reason = reason;
  }
}

/**
 * Calendar index of the last trading day on or before `date`.
 * @throws RunFailure when fewer than `minDays` trading days of data lead up to it.
 */
export function analysedDay(panel: Panel, date: string, minDays: number): number {
  const day = panel.dayOnOrBefore(date);
  if (day + 1 >= minDays) return day;
  const first = panel.columns.dates[minDays - 1];
  throw new RunFailure(
    first === undefined
      ? localised(
          () =>
            `Data yang tersedia baru ${panel.dayCount} hari bursa, sedangkan model memerlukan ${minDays} hari.`,
          () => `There are only ${panel.dayCount} trading days of data, and the model needs ${minDays}.`,
        )
      : localised(
          (id) =>
            `Tanggal analisis ${id.date(date)} terlalu awal. Data yang cukup tersedia mulai ${id.date(first)}.`,
          (en) =>
            `The day of analysis, ${en.date(date)}, is too early. There is enough data from ${en.date(first)} on.`,
        ),
  );
}

/**
 * The last `days` trading days up to the analysed one, as far as the data goes back. None for a date before all data: the
 * run itself reports that it is too early.
 */
export function spanUpTo(panel: Panel, analysisDate: string, days: number): DaySpan | undefined {
  const lastDay = panel.dayOnOrBefore(analysisDate);
  return lastDay < 0 ? undefined : { firstDay: Math.max(0, lastDay + 1 - days), lastDay };
}
