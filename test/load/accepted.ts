import type { Application } from './application.ts';

/** What clients were told is so, and what the service must therefore stand by. */
export class Accepted {
  /** Runs by job id. */
  readonly runs = new Map<string, Application>();
  /** Recorded acceptances by consent id. */
  readonly consents = new Map<string, Application>();
  /**
   * Submissions without an Idempotency-Key, or given up before they were accepted, that a 503 or nothing answered:
   * each may have begun a run of which no client knows.
   */
  unanswered = 0;
  /** Requests that repeated an earlier one under its key and were answered. */
  repetitions = 0;
}
