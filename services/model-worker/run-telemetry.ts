import type { JsMsg } from '@nats-io/jetstream';
import type { RunRequested } from '#proto/saring/events/v1/runs.ts';
import { traceOf } from '#platform/nats/trace-headers.ts';
import { DurationHistogram } from '#platform/operations/duration-histogram.ts';
import { metricsOf } from '#platform/operations/metrics.ts';
import type { OpenSpan } from '#platform/operations/span.ts';
import { beginSpan, recordSpan } from '#platform/operations/tracing.ts';
import type { Outcome } from './threads/thread-messages.ts';

const SERVICE = 'model-worker';

/** The spans of a run in its worker: its time in the queue, its stages, its report. Does nothing while tracing is off. */
export class RunSpans {
  readonly #run: OpenSpan | undefined;
  #report: OpenSpan | undefined;

  constructor({ job_id, model_id, request_id }: RunRequested, message: JsMsg) {
    const parent = traceOf(message);
    const takenMs = Date.now();
    const wait = {
      service: SERVICE,
      name: 'queue wait',
      kind: 'internal',
      parent,
      startMs: message.time.getTime(),
    } as const;
    recordSpan(wait, { endMs: takenMs });
    this.#run = beginSpan({
      service: SERVICE,
      name: `run ${model_id}`,
      kind: 'consumer',
      parent,
      attributes: { 'saring.job_id': job_id, 'saring.model_id': model_id, 'saring.request_id': request_id },
    });
  }

  /** The trace context of the report, to which the end of the run belongs. */
  get traceparent(): string | undefined {
    return this.#report?.traceparent;
  }

  /** Call when the model has run and its result is about to be stored. */
  screened(outcome: Outcome): void {
    const parent = this.#run?.traceparent;
    if (parent === undefined) return;
    if (outcome.status === 'succeeded') {
      for (const { stage, fromMs, toMs } of outcome.stages)
        recordSpan(
          { service: SERVICE, name: stage, kind: 'internal', parent, startMs: fromMs },
          { endMs: toMs },
        );
    }
    this.#report = beginSpan({ service: SERVICE, name: 'result', kind: 'producer', parent });
  }

  reported(outcome: Outcome): void {
    this.#report?.end();
    const error = outcome.status === 'succeeded' ? undefined : outcome.status;
    this.#run?.end({ attributes: { 'saring.status': outcome.status }, error });
  }
}

const runs = new DurationHistogram({
  name: 'saring_run_duration_seconds',
  help: 'How long a worker was busy with a run, until its end was reported.',
  labelNames: ['model', 'state'],
  registry: metricsOf(SERVICE),
});
const stages = new DurationHistogram({
  name: 'saring_run_stage_duration_seconds',
  help: 'How long the stages of runs that succeeded took; `learning` is the training of the model.',
  labelNames: ['model', 'stage'],
  registry: metricsOf(SERVICE),
});

/** Records metrics of a run that has ended. Days of backfills are not recorded. */
export function observeRun(modelId: string, outcome: Outcome, seconds: number): void {
  runs.of(modelId, outcome.status).observe(seconds);
  if (outcome.status !== 'succeeded') return;
  for (const { stage, fromMs, toMs } of outcome.stages)
    stages.of(modelId, stage).observe((toMs - fromMs) / 1_000);
}
