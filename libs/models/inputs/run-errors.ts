import type { Sentence } from '#foundation/text/languages.ts';
import { Localised } from '#foundation/text/localised.ts';

/** The message for a run that was cancelled. */
export const CANCELLED = new Localised(
  'Proses dibatalkan sebelum selesai atas permintaan pemanggil.',
  'The run was cancelled before its end, as its caller asked.',
);

/**
 * Why a run did not succeed, in words that analysts can count. The message of a run names days and figures, so that two runs
 * with one cause may differ in it. A code that the contract has for the same cause keeps its name.
 */
export const RUN_ERROR_CODES = [
  /** The dataset could not be read, or does not include the trading day that the run needs. */
  'data_unavailable',
  /** The dataset has too few days, liquid stocks or broker rows for this model and day. */
  'insufficient_data',
  /** No position was sent, or none of them could be judged. */
  'no_positions',
  /** The worker does not have the model. */
  'model_unavailable',
  'timeout',
  'internal_error',
  /** The caller cancelled the run before its end. */
  'cancelled',
  /** The run's worker disappeared. */
  'interrupted',
] as const;
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

/** Why a run failed, for display. */
export interface ErrorTexts {
  /** In Bahasa Indonesia. */
  error_message: string;
  error_english: string;
}

/** Why a run did not succeed, as stored in its events and its row. */
interface RunError extends ErrorTexts {
  error_code: RunErrorCode;
}

export function errorTexts({ id, en }: Sentence): ErrorTexts {
  return { error_message: id, error_english: en };
}

export function runError(error_code: RunErrorCode, message: Sentence): RunError {
  return { error_code, ...errorTexts(message) };
}

/** The error of a cancelled run. */
export const CANCELLATION = runError('cancelled', CANCELLED.in);
