import type { Job } from '#proto/saring/models/v1/runs.ts';
import type { RunResult } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#shared/clock.ts';
import { RESULT_RETENTION_MS } from '#shared/nats/streams.ts';
import { secondsBetween } from './durations.ts';
import type { LiveTier } from './live-tier.ts';
import { paramsUsed } from './params-used.ts';
import { isFinal } from './run-states.ts';
import { runSummary } from './run-summary.ts';
import type { RunRow } from './store/run-store.ts';

/** Clocks of two machines may differ by this much. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface JobsDependencies {
  live: LiveTier;
  clock: Clock;
}

/**
 * Turns rows into jobs as callers see them. A job is live while it is unfinished or its entry is held in memory;
 * otherwise the row is all there is. While NATS is away the row answers too: a result that still exists is back when
 * NATS is, and callers branch on `result_available`.
 */
export class Jobs {
  readonly #deps: JobsDependencies;

  constructor(deps: JobsDependencies) {
    this.#deps = deps;
  }

  /** With the result, where there is one. */
  async describe(run: RunRow): Promise<Job> {
    if (!isFinal(run.status)) return this.#job(run, 'live');
    if (this.#isPastRetention(run)) return this.#job(run, 'ledger');
    const held = await this.#deps.live.find(run.job_id);
    return this.#job(run, held ? 'live' : 'ledger', held);
  }

  /** Without results. */
  async describeAll(runs: RunRow[]): Promise<Job[]> {
    const recent = runs.filter((run) => isFinal(run.status) && !this.#isPastRetention(run));
    const held = recent.length > 0 ? await this.#deps.live.jobs() : new Set<string>();
    return runs.map((run) => {
      const job = this.#job(run, !isFinal(run.status) || held.has(run.job_id) ? 'live' : 'ledger');
      return { ...job, result_available: run.status === 'succeeded' && held.has(run.job_id) };
    });
  }

  #isPastRetention({ finished_at }: RunRow): boolean {
    const keptUntil = (finished_at?.getTime() ?? Infinity) + RESULT_RETENTION_MS + CLOCK_TOLERANCE_MS;
    return this.#deps.clock().getTime() > keptUntil;
  }

  #job(run: RunRow, source: 'live' | 'ledger', held?: RunResult): Job {
    const result = run.status === 'succeeded' ? held?.result_json : undefined;
    return {
      job_id: run.job_id,
      kind: 'model_run',
      target: run.model_id,
      status: run.status,
      params: paramsUsed(run),
      created_at: run.created_at,
      started_at: run.started_at ?? undefined,
      finished_at: run.finished_at ?? undefined,
      duration_seconds: secondsBetween(run.started_at, run.finished_at ?? this.#deps.clock()),
      source,
      result_available: result !== undefined,
      result_json: result,
      summary: runSummary(run),
      end_user: run.end_user,
      error_message: run.error_message ?? undefined,
      view: run.view,
      dataset_version: run.dataset_version ?? undefined,
    };
  }
}
