import { randomUUID } from 'node:crypto';
import type { Sentence } from './text/languages.ts';
import { Localised } from './text/localised.ts';

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

/** Why a run failed, as stored in its events and its row. */
export interface ErrorTexts {
  /** In Bahasa Indonesia. */
  error_message: string;
  error_english: string;
}

export function errorTexts({ id, en }: Sentence): ErrorTexts {
  return { error_message: id, error_english: en };
}
