import type { BrokerFlow } from '#quant/broker-flow/broker-flow.ts';
import type { DaySpan } from '#quant/broker-flow/flow-builder.ts';
import type { Panel } from '#quant/panel/panel.ts';

/** Which dataset version a run reads. */
export interface DatasetLabel {
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
  /** Where its broker rows come from: `none`, `real` or `synthetic`. */
  broker_data: string;
}

export interface ScreenInput {
  panel: Panel;
  /** Of the regular market, of at least the days that the screen's `brokerSpan` names, as far as there are any. */
  brokerFlow: BrokerFlow;
  dataset: DatasetLabel;
  /** As the models service has validated and completed them. */
  params: Record<string, unknown>;
  view: 'full' | 'compact';
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
}

/**
 * One model. `brokerSpan` names the days whose broker rows a run with these parameters reads, so that they can be read
 * before it; undefined for none. `run` is a pure function of its input: the same version, parameters and view give the
 * same bytes, and nothing after the analysed day has any influence.
 * @throws RunFailure when there is no result for a reason the caller should read.
 */
export interface Screen {
  modelId: string;
  brokerSpan: (panel: Panel, params: Record<string, unknown>) => DaySpan | undefined;
  run: (input: ScreenInput) => ScreenOutput;
}
