import { RunArtefact, RunFinished, RunResult, type RecordedPicks } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#foundation/clock.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { publishOnce } from '#platform/nats/publish-once.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { runError } from '#models/inputs/run-errors.ts';
import { withTrace } from '#platform/nats/trace-headers.ts';
import { retryOnNats } from './failures/retry.ts';
import type { Outcome, SucceededRun } from './threads/thread-messages.ts';

interface RunReportsDependencies {
  nats: Nats;
  workerId: string;
  clock: Clock;
  log: Logger;
}

interface FinishedRun {
  jobId: string;
  /** Absent if another worker started the run at an unknown time. */
  startedAt?: Date;
  outcome: Outcome;
  /** W3C trace context of the event that ends the run. */
  traceparent?: string | undefined;
}

const PUBLISH_TIMEOUT_MS = 2_000;
/** How long a result is held through an outage of NATS. The worker takes no other run in that time. */
const REPORT_FOR_MS = 15 * 60_000;

export class RunReports {
  readonly #deps: RunReportsDependencies;

  constructor(deps: RunReportsDependencies) {
    this.#deps = deps;
  }

  /**
   * Stores the model and the explanation, then the result, then publishes the end of the run. Starts over if NATS becomes unavailable in
   * between, because NATS loses what it holds in memory. A run whose end has already been published stays unchanged.
   */
  async report(run: FinishedRun, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#deps;
    const finishedAt = clock();
    const attempt = async () => {
      await this.#storeArtefact(run);
      await this.#storeResult(run);
      return this.#publishEnd(run, finishedAt);
    };
    try {
      const isOurs = await retryOnNats('reporting a run', attempt, { forMs: REPORT_FOR_MS, log, signal });
      if (!isOurs) log.warn({ job_id: run.jobId }, 'run had already ended');
    } catch (error) {
      log.warn({ job_id: run.jobId, err: error }, 'run lost');
    }
  }

  async #storeArtefact({ jobId, outcome }: FinishedRun): Promise<void> {
    if (outcome.status !== 'succeeded') return;
    const { model, explanation, datasetVersion: dataset_version } = outcome;
    if (!model && !explanation) return;
    const message = RunArtefact.encode({
      job_id: jobId,
      dataset_version,
      fingerprint: model?.fingerprint ?? '',
      onnx: Buffer.from(model?.onnx ?? []),
      explanation: Buffer.from(explanation ?? []),
    }).finish();
    await this.#store('artefact', jobId, subjects.artefact(jobId), message);
  }

  async #storeResult({ jobId, outcome }: FinishedRun): Promise<void> {
    if (outcome.status === 'interrupted') return;
    const result_json = outcome.status === 'succeeded' ? Buffer.from(outcome.resultJson) : undefined;
    const english = outcome.status === 'succeeded' ? outcome.english : [];
    const message = RunResult.encode({ job_id: jobId, result_json, english }).finish();
    await this.#store('result', jobId, subjects.result(jobId), message);
  }

  /** Drops a message that is too large for NATS: the run still counts. */
  async #store(what: string, jobId: string, subject: string, message: Uint8Array): Promise<void> {
    const { nats, log } = this.#deps;
    const limit = nats.connection.info?.max_payload ?? Infinity;
    if (message.length > limit) {
      const about = { job_id: jobId, bytes: message.length, limit };
      return log.error(about, `${what} too large for NATS, not kept`);
    }
    await nats.js.publish(subject, message, { timeout: PUBLISH_TIMEOUT_MS });
  }

  /** Returns whether the run ends as this worker says. */
  #publishEnd({ jobId, startedAt, outcome, traceparent }: FinishedRun, finishedAt: Date): Promise<boolean> {
    const { nats, workerId } = this.#deps;
    const failure = outcome.status === 'failed' ? runError(outcome.code, outcome.message) : undefined;
    const event: RunFinished = {
      job_id: jobId,
      status: outcome.status,
      started_at: startedAt,
      finished_at: finishedAt,
      dataset_version: 'datasetVersion' in outcome ? outcome.datasetVersion : undefined,
      dataset_kind: 'datasetKind' in outcome ? outcome.datasetKind : undefined,
      summary: outcome.status === 'succeeded' ? outcome.summary : undefined,
      ...failure,
      target_date: outcome.status === 'failed' ? outcome.targetDate : undefined,
      record: outcome.status === 'succeeded' ? recordedPicks(outcome) : undefined,
      scores: outcome.status === 'succeeded' ? (outcome.scores ?? []) : [],
    };
    return publishOnce(nats, {
      stream: 'RUN_EVENTS',
      subject: subjects.runFinished(jobId),
      message: RunFinished.encode(event).finish(),
      publisher: workerId,
      timeoutMs: PUBLISH_TIMEOUT_MS,
      ...withTrace(traceparent),
    });
  }
}

function recordedPicks({ record, summary, datasetKind }: SucceededRun): RecordedPicks | undefined {
  if (!record) return undefined;
  const { lastDate, barriers, horizon_days, floors, regime, picks } = record;
  return {
    as_of: summary.target_date,
    last_date: lastDate,
    dataset_kind: datasetKind,
    ...barriers,
    horizon_days,
    ...floors,
    regime,
    picks: picks.map(({ probability, win_chance_pct, base_rate_pct, ...pick }) => ({
      ...pick,
      probability: probability ?? undefined,
      win_chance_pct: win_chance_pct ?? undefined,
      base_rate_pct: base_rate_pct ?? undefined,
    })),
  };
}
