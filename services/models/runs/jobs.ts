import type { Job } from '#proto/saring/models/v1/runs.ts';
import { SIMULATION_ID } from '#models/simulation/params.ts';
import type { RunResult } from '#proto/saring/events/v1/runs.ts';
import { isTestKey } from '#foundation/test-market.ts';
import type { Clock } from '#foundation/clock.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import { secondsBetween, paramsUsed, runSummary } from '../store/run-summary.ts';
import type { LiveTier } from '../nats/live-tier.ts';
import type { ModelEvidence } from '../record/model-evidence.ts';
import { endedUnbegun, isFinal } from '../store/run-states.ts';
import type { RunRow } from '../store/tables.ts';

/** What a run runs. A simulation follows a screen or a model. */
function targetOf({ model_id, params }: RunRow): Pick<Job, 'kind' | 'target'> {
  if (model_id !== SIMULATION_ID) return { kind: 'model_run', target: model_id };
  return { kind: 'simulation', target: String(params['screen_id'] ?? params['model_id']) };
}

/** The maximum clock difference between two machines. */
const CLOCK_TOLERANCE_MS = 60_000;

type Tier = 'live' | 'ledger';

interface JobsDependencies {
  live: Pick<LiveTier, 'find' | 'jobs'>;
  evidence: Pick<ModelEvidence, 'of'>;
  clock: Clock;
  resultRetentionMs: number;
}

/**
 * Turns rows into jobs as callers see them. A job is live while it is unfinished or its result is held in memory; after
 * that only the row is left. While NATS is unavailable, the response comes from the row too: a result that still exists
 * reappears when NATS is back, and callers check `result_available`. Of a run that was cancelled before it started nothing is
 * held, so that it is in the ledger at once, whatever a late worker may still store.
 */
export class Jobs {
  readonly #deps: JobsDependencies;

  constructor(deps: JobsDependencies) {
    this.#deps = deps;
  }

  /** Includes the result if there is one. */
  async describe(run: RunRow): Promise<Job> {
    const tier = this.#tierByRow(run);
    if (tier) return this.#job(run, tier);
    const held = await this.#deps.live.find(run.job_id);
    return this.#job(run, held ? 'live' : 'ledger', held);
  }

  /** Without results. */
  async describeAll(runs: RunRow[]): Promise<Job[]> {
    const isUndecided = runs.some((run) => !this.#tierByRow(run));
    const held = isUndecided ? await this.#deps.live.jobs() : new Set<string>();
    return runs.map((run) => {
      const isHeld = held.has(run.job_id);
      const job = this.#job(run, this.#tierByRow(run) ?? (isHeld ? 'live' : 'ledger'));
      return { ...job, result_available: run.status === 'succeeded' && isHeld };
    });
  }

  /** Undefined if the row does not decide and the results in memory must be checked. */
  #tierByRow(run: RunRow): Tier | undefined {
    if (!run.finished_at || !isFinal(run.status)) return 'live';
    if (endedUnbegun(run)) return 'ledger';
    const { clock, resultRetentionMs } = this.#deps;
    const endedMs = clock().getTime() - run.finished_at.getTime();
    return endedMs > resultRetentionMs + CLOCK_TOLERANCE_MS ? 'ledger' : undefined;
  }

  /** What became of picks says nothing of the test market, on which none are recorded. */
  #evidenceFor({ api_key_id, model_id }: RunRow): Job['evidence'] {
    return isTestKey(api_key_id) ? undefined : this.#deps.evidence.of(model_id);
  }

  #job(run: RunRow, source: Tier, held?: RunResult): Job {
    const result = run.status === 'succeeded' ? held?.result_json : undefined;
    return {
      ...withoutNulls(run),
      ...targetOf(run),
      params: paramsUsed(run),
      duration_seconds: secondsBetween(run.started_at, run.finished_at ?? this.#deps.clock()),
      poll_url: `/api/v1/jobs/${run.job_id}`,
      source,
      result_available: result !== undefined,
      result_json: result,
      result_english: result ? held!.english : [],
      summary: runSummary(run),
      evidence: result && this.#evidenceFor(run),
    };
  }
}
