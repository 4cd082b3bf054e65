import { randomUUID } from 'node:crypto';
import type { Sentence } from '../text/languages.ts';
import { Localised } from '../text/localised.ts';

/**
 * The parts that a run needs to complete. Each has its own status in the health check of the models service: `storage` keeps
 * the row of the run, `queue` takes its request, `workers` compute it.
 */
export const RUN_PARTS = ['storage', 'queue', 'workers'] as const;
export type RunPart = (typeof RUN_PARTS)[number];

/** The name of a part in the health check. */
export function healthNameOf(part: RunPart): string {
  return `runs.${part}`;
}

const PREFIX = 'worker_';

/** The name of a worker on the streams. It changes with each start. */
export function newWorkerId(): string {
  return `${PREFIX}${randomUUID()}`;
}

/** Whether the id belongs to a worker and not to another listener. */
export function isWorkerId(id: string): boolean {
  return id.startsWith(PREFIX);
}

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
  /** The run's worker went away. */
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
export interface RunError extends ErrorTexts {
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
