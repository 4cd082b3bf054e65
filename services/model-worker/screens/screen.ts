import type { Panel } from '#quant/panel/panel.ts';

/** Which dataset version a run reads. */
export interface DatasetLabel {
  version: string;
  /** `real` or `synthetic`. */
  kind: string;
}

export interface ScreenInput {
  panel: Panel;
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
 * One model. `run` is a pure function of its input: the same version, parameters and view give the same bytes, and
 * nothing after the analysed day has any influence.
 * @throws RunFailure when there is no result for a reason the caller should read.
 */
export interface Screen {
  modelId: string;
  run: (input: ScreenInput) => ScreenOutput;
}
