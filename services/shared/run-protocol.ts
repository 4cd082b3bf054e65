import { randomUUID } from 'node:crypto';
import type { Sentence } from './text/languages.ts';
import { Localised } from './text/localised.ts';

/**
 * What a run needs to complete, each with a status of its own in the health check of the models service: `storage` keeps
 * its row, `queue` takes its request, `workers` compute it.
 */
export const RUN_PARTS = ['storage', 'queue', 'workers'] as const;
export type RunPart = (typeof RUN_PARTS)[number];

/** The name under which the health check is asked for a part. */
export function healthNameOf(part: RunPart): string {
  return `runs.${part}`;
}

const PREFIX = 'worker_';

/** What a worker calls itself on the streams; another one after each start. */
export function newWorkerId(): string {
  return `${PREFIX}${randomUUID()}`;
}

/** Whether a worker speaks, and not another listener. */
export function isWorkerId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** What a caller reads of a run that was cancelled. */
export const CANCELLED = new Localised(
  'Proses dibatalkan sebelum selesai atas permintaan pemanggil.',
  'The run was cancelled before its end, as its caller asked.',
);

/** Why a run failed, as its events and its row say it. */
export interface ErrorTexts {
  /** In Bahasa Indonesia. */
  error_message: string;
  error_english: string;
}

export function errorTexts({ id, en }: Sentence): ErrorTexts {
  return { error_message: id, error_english: en };
}
