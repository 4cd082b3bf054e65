import { randomUUID } from 'node:crypto';

/**
 * The parts that a run needs to complete. Each has its own status in the health check of the models service: `storage` keeps
 * the row of the run, `queue` takes its request, `workers` compute it.
 */
export const RUN_PARTS = ['storage', 'queue', 'workers'] as const;
export type RunPart = (typeof RUN_PARTS)[number];

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
