import { DurationHistogram } from '#shared/operations/duration-histogram.ts';
import type { Outcome } from '../thread-messages.ts';

const runs = new DurationHistogram({
  name: 'saring_run_duration_seconds',
  help: 'How long a worker was busy with a run, until its end was reported.',
  labelNames: ['model', 'state'],
});
const stages = new DurationHistogram({
  name: 'saring_run_stage_duration_seconds',
  help: 'How long the stages of runs that succeeded took; `learning` is the training of the model.',
  labelNames: ['model', 'stage'],
});

/** Measures a run that has ended. Days of backfills are none. */
export function observeRun(modelId: string, outcome: Outcome, seconds: number): void {
  runs.of(modelId, outcome.status).observe(seconds);
  if (outcome.status !== 'succeeded') return;
  for (const { stage, fromMs, toMs } of outcome.stages)
    stages.of(modelId, stage).observe((toMs - fromMs) / 1_000);
}
