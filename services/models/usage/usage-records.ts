import type { JetStreamClient, JetStreamPublishOptions } from '@nats-io/jetstream';
import { UsageRecorded } from '#proto/saring/events/v1/usage.ts';
import type { Logger } from '#shared/logger.ts';
import { subjects } from '#shared/nats/subjects.ts';
import { withTrace } from '#shared/nats/trace-headers.ts';
import { secondsBetween, paramsUsed, runSummary } from '../run-summary.ts';
import { isOwnRun } from '#shared/operator-runs.ts';
import { publicationAfter, type Publication } from '../publication.ts';
import type { RunStore } from '../store/run-store.ts';
import type { RunRow } from '../store/tables.ts';

const PUBLISH_TIMEOUT_MS = 2_000;

interface UsageRecordsDependencies {
  js: JetStreamClient;
  store: RunStore;
  log: Logger;
}

/** Reports to the usage ledger how runs stand. */
export class UsageRecords {
  readonly #deps: UsageRecordsDependencies;

  constructor(deps: UsageRecordsDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes the run's present state and remembers that the stream has it. Never throws, because a failure to
   * record must not fail a run: what is not remembered here, the sweeper publishes. A run of the service's own is no one's
   * usage and stays out of the stream.
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
   * Publishes the present state of a run once more, which the stream took before and the ledger has lost. Without a
   * message id: the stream would drop one that it knows. Never throws.
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

/** The whole usage row of a run as it stands; nothing of its result but the summary. */
function usageRecorded(run: RunRow): UsageRecorded {
  return {
    event_id: run.event_id,
    ts: run.created_at,
    channel: run.channel,
    api_key_id: run.api_key_id,
    end_user: run.end_user,
    model_id: run.model_id,
    params: paramsUsed(run),
    status: run.usage_due,
    duration_seconds: secondsBetween(run.started_at, run.finished_at),
    // Only of a success: a failure with a pick count of 0 would look like an empty result to analysts.
    summary: run.status === 'succeeded' ? runSummary(run) : undefined,
    job_id: run.job_id,
    request_id: run.request_id,
    actor: run.actor ?? run.api_key_id,
  };
}
