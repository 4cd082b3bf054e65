import { Counter, Gauge } from 'prom-client';
import { DurationHistogram } from '#shared/operations/duration-histogram.ts';

const lastSuccess = new Gauge({
  name: 'saring_canary_last_success_timestamp_seconds',
  help: 'When a canary of the model last came back with a result.',
  labelNames: ['model'],
});
const failuresInARow = new Gauge({
  name: 'saring_canary_failures_in_a_row',
  help: 'Canaries of the model that did not come back since the last that did.',
  labelNames: ['model'],
});
const runs = new Counter({
  name: 'saring_canary_runs_total',
  help: 'Canaries, by whether they came back with a result.',
  labelNames: ['model', 'result'],
});
const durations = new DurationHistogram({
  name: 'saring_canary_duration_seconds',
  help: 'From the submission of a canary to its result, of those that came back.',
  labelNames: ['model'],
});

/** What became of the canaries of each model. */
export class CanaryResults {
  readonly #problems = new Map<string, { count: number; problem: string }>();

  succeeded(modelId: string, seconds: number): void {
    this.#problems.delete(modelId);
    lastSuccess.set({ model: modelId }, Date.now() / 1_000);
    failuresInARow.set({ model: modelId }, 0);
    runs.inc({ model: modelId, result: 'back' });
    durations.of(modelId).observe(seconds);
  }

  /** Returns how many in a row did not come back. */
  failed(modelId: string, problem: string): number {
    const count = (this.#problems.get(modelId)?.count ?? 0) + 1;
    this.#problems.set(modelId, { count, problem });
    failuresInARow.set({ model: modelId }, count);
    runs.inc({ model: modelId, result: 'lost' });
    return count;
  }

  /** @throws Error naming each model whose last canary did not come back */
  requireBack(): void {
    if (this.#problems.size === 0) return;
    const lost = [...this.#problems].map(([model, { problem }]) => `${model} (${problem})`);
    throw new Error(`did not come back: ${lost.join(', ')}`);
  }
}
