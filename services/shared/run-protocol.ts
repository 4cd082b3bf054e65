import { randomUUID } from 'node:crypto';

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

/** What a caller reads of a run that was cancelled, in Bahasa Indonesia. */
export const CANCELLED_MESSAGE = 'Proses dibatalkan sebelum selesai atas permintaan pemanggil.';
