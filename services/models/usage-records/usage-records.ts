import type { JetStreamClient, JetStreamPublishOptions } from '@nats-io/jetstream';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { withTrace } from '#platform/nats/trace-headers.ts';
import { secondsBetween, paramsUsed, runSummary } from '../store/run-summary.ts';
import { isOwnRun } from '#shared/runs/operator-runs.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import { publicationAfter, type Publication } from '../nats/publication.ts';
import type { RunStore } from '../store/run-store.ts';
import type { RunRow } from '../store/tables.ts';

const PUBLISH_TIMEOUT_MS = 2_000;

interface UsageRecordsDependencies {
  js: JetStreamClient;
  store: RunStore;
  log: Logger;
}

/** Publishes the states of runs for the usage ledger. */
export class UsageRecords {
  readonly #deps: UsageRecordsDependencies;

  constructor(deps: UsageRecordsDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes the current state of a run and marks it as published. Never throws, because a recording failure must not
   * fail a run: the sweeper publishes what is not marked. The service's own runs are not usage and are not published.
   */
  async record(run: RunRow, traceparent?: string | null): Promise<Publication> {
    const { store } = this.#deps;
    const { job_id, event_id, usage_due } = run;
    return this.#attempt(run, async () => {
      if (!isOwnRun(run))
        await this.#publish(run, { msgID: `${event_id}.${usage_due}`, ...withTrace(traceparent) });
      await store.markRecorded(job_id, usage_due);
    });
  }

  /**
   * Publishes again a state that the stream accepted but the ledger has lost. Without a message id, because the stream
   * would drop a known one. Never throws.
   */
  recordAgain(run: RunRow): Promise<Publication> {
    return this.#attempt(run, () => this.#publish(run, {}));
  }

  async #publish(run: RunRow, options: Partial<JetStreamPublishOptions>): Promise<void> {
    const message = UsageRecorded.encode(usageRecorded(run)).finish();
    const timeout = PUBLISH_TIMEOUT_MS;
    await this.#deps.js.publish(subjects.usage(run.usage_due), message, { ...options, timeout });
  }

  async #attempt({ job_id, usage_due }: RunRow, publish: () => Promise<void>): Promise<Publication> {
    try {
      await publish();
      return 'published';
    } catch (error) {
      const outcome = publicationAfter(error);
      const reason = (error as Error).message;
      this.#deps.log.warn({ job_id, status: usage_due, outcome, reason }, 'usage not recorded yet');
      return outcome;
    }
  }
}

/** The complete usage event of a run in its current state. Of the result it contains only the summary. */
function usageRecorded(run: RunRow): UsageRecorded {
  return {
    ...withoutNulls(run),
    ts: run.created_at,
    params: paramsUsed(run),
    status: run.usage_due,
    duration_seconds: secondsBetween(run.started_at, run.finished_at),
    // Only for a success: analysts would take a failure with a pick count of 0 for an empty result.
    summary: run.status === 'succeeded' ? runSummary(run) : undefined,
    actor: run.actor ?? run.api_key_id,
  };
}
