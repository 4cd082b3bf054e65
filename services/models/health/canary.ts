import { MODELS } from '#models/registry.ts';
import type { Model } from '#models/model/model.ts';
import type { Clock } from '#foundation/clock.ts';
import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Sentence } from '#foundation/text/languages.ts';
import type { LiveTier } from '../nats/live-tier.ts';
import { CANARY } from '#shared/runs/operator-runs.ts';
import type { ServedVersion } from '../record/served-market.ts';
import type { Runs } from '../runs/runs.ts';
import { isFinal } from '../store/run-states.ts';
import type { RunStore } from '../store/run-store.ts';
import type { RunRow } from '../store/tables.ts';
import { Counter, Gauge } from 'prom-client';
import { DurationHistogram } from '#platform/operations/duration-histogram.ts';
import { metricsOf } from '#platform/operations/metrics.ts';

/** A run that has not ended within this time counts as failed and is cancelled, so that two canaries never overlap. */
const WITHIN_MS = 60_000;
/** How long canary rows are kept, so that an operator can look into a failure. */
const KEPT_MS = 3_600_000;
const BATCH = 200;

export interface CanaryDependencies {
  runs: Pick<Runs, 'submit' | 'watch' | 'cancel'>;
  live: Pick<LiveTier, 'find' | 'forget'>;
  store: Pick<RunStore, 'forgetCanaries'>;
  results: CanaryResults;
  served: () => ServedVersion | undefined;
  /** Whether the dataset lacks what every run of the model needs. Such a model gets no canary: health says what it lacks. */
  lacksData: (model: Model) => boolean;
  /** Some tickers of the served dataset, for models that take positions as input. */
  tickers: () => Promise<string[]>;
  clock: Clock;
  log: Logger;
  everySeconds: number;
  withinMs?: number;
}

/**
 * Runs one small run of one model at a time, in turn, through the whole path from submission over queue and worker to
 * result. This shows whether runs complete before a user notices that they do not. Copies of the service share each
 * run: its idempotency key is derived from the turn. A canary is left out of usage, the ledger, the record and every
 * list of jobs. Its result is removed immediately, because only a limited number of results is kept.
 */
export class Canary {
  readonly #deps: CanaryDependencies;
  #turn: number | undefined;

  constructor(deps: CanaryDependencies) {
    this.#deps = deps;
  }

  /** Makes the run of the current turn, once. `stopping` abandons a run in progress. */
  async poll(stopping: AbortSignal): Promise<void> {
    const { clock, everySeconds } = this.#deps;
    const turn = Math.floor(clock().getTime() / 1_000 / everySeconds);
    if (turn === this.#turn) return;
    const { served, results, lacksData } = this.#deps;
    const version = served()?.version;
    if (version === undefined) return;
    this.#turn = turn;
    const models = MODELS.filter((model) => !lacksData(model));
    results.begin(version, models);
    if (models.length > 0) await this.#take(turn, models, stopping);
    await this.#deps.store.forgetCanaries(new Date(clock().getTime() - KEPT_MS), BATCH);
  }

  /**
   * After a success, the models whose last canary failed get another one at once. Otherwise a model would count as lost for a
   * whole round of turns after its cause is gone.
   */
  async #take(turn: number, models: readonly Model[], stopping: AbortSignal): Promise<void> {
    const { results } = this.#deps;
    const next = models[turn % models.length]!;
    const lost = models.filter((model) => model !== next && results.isLost(model.id));
    for (const model of [next, ...lost]) {
      await this.#run(model, turn, stopping);
      if (stopping.aborted || results.isLost(model.id)) break;
    }
  }

  async #run(model: Model, turn: number, stopping: AbortSignal): Promise<void> {
    const { log, results, withinMs = WITHIN_MS } = this.#deps;
    const began = performance.now();
    const overdue = AbortSignal.timeout(withinMs);
    const problem = await this.#problemOf(model, turn, overdue, stopping).catch(
      (error: unknown): Problem => ({ what: (error as Error).message }),
    );
    if (stopping.aborted) return;
    if (problem === undefined) return results.succeeded(model.id, (performance.now() - began) / 1_000);
    const failures = results.failed(model.id, problem);
    log.warn({ model_id: model.id, problem: problem.what, failures }, 'the canary did not come back');
  }

  /** Why the run ended without a result; undefined if it has one. */
  async #problemOf(
    model: Model,
    turn: number,
    overdue: AbortSignal,
    stopping: AbortSignal,
  ): Promise<Problem | undefined> {
    const { runs, live } = this.#deps;
    const ending = AbortSignal.any([overdue, stopping]);
    const submission = {
      ...(await this.#smallRun(model)),
      ...CANARY,
      request_id: randomId('req'),
      idempotency_key: `canary ${turn} ${model.id}`,
    };
    const { run } = await runs.submit(submission, { signal: ending });
    const ended = await this.#endOf(run, ending);
    if (!isFinal(ended.status)) {
      if (!stopping.aborted) await runs.cancel(run.job_id, CANARY.api_key_id);
      return { what: `still ${ended.status} when its time was up` };
    }
    const { error_message, error_english } = ended;
    if (ended.status !== 'succeeded') {
      const what = error_english ?? error_message ?? ended.status;
      const failure = ended.status === 'failed' && { failure: { id: error_message ?? what, en: what } };
      return { what, ...failure };
    }
    const result = await live.find(run.job_id);
    await live.forget(run.job_id);
    return result?.result_json ? undefined : { what: 'it succeeded, but its result is gone' };
  }

  async #endOf(run: RunRow, ending: AbortSignal): Promise<RunRow> {
    let latest = run;
    for await (const seen of this.#deps.runs.watch(run.job_id, CANARY.api_key_id, ending)) latest = seen;
    return latest;
  }

  /** A run with default parameters, so that it shares what other runs have already trained, and in the smallest view. */
  async #smallRun(
    model: Model,
  ): Promise<{ model_id: string; params: Record<string, unknown>; view: string }> {
    const view = model.views.includes('compact') ? 'compact' : model.views[0]!;
    const needsPositions = 'positions' in model.params;
    const params = needsPositions ? model.examples(await this.#deps.tickers())[0]!.params : {};
    return { model_id: model.id, params: { ...params }, view };
  }
}

const lastSuccess = new Gauge({
  name: 'saring_canary_last_success_timestamp_seconds',
  help: 'When a canary of the model last came back with a result.',
  labelNames: ['model'],
  registers: [metricsOf('models')],
});
const failuresInARow = new Gauge({
  name: 'saring_canary_failures_in_a_row',
  help: 'Canaries of the model that did not come back since the last that did.',
  labelNames: ['model'],
  registers: [metricsOf('models')],
});
const runs = new Counter({
  name: 'saring_canary_runs_total',
  help: 'Canaries, by whether they came back with a result.',
  labelNames: ['model', 'result'],
  registers: [metricsOf('models')],
});
const durations = new DurationHistogram({
  name: 'saring_canary_duration_seconds',
  help: 'From the submission of a canary to its result, of those that came back.',
  labelNames: ['model'],
  registry: metricsOf('models'),
});

/** Why a canary did not come back. */
interface Problem {
  /** In English, for the operator. */
  what: string;
  /** Why the run failed, if it did: another run of the model on the same dataset would fail too. */
  failure?: Sentence;
}

export class CanaryResults {
  readonly #problems = new Map<string, Problem & { count: number; version: string }>();
  #version = '';

  succeeded(modelId: string, seconds: number): void {
    this.#problems.delete(modelId);
    lastSuccess.set({ model: modelId }, Date.now() / 1_000);
    failuresInARow.set({ model: modelId }, 0);
    runs.inc({ model: modelId, result: 'back' });
    durations.of(modelId).observe(seconds);
  }

  /** Returns the number of failures in a row. */
  failed(modelId: string, problem: Problem): number {
    const count = (this.#problems.get(modelId)?.count ?? 0) + 1;
    this.#problems.set(modelId, { ...problem, count, version: this.#version });
    failuresInARow.set({ model: modelId }, count);
    runs.inc({ model: modelId, result: 'lost' });
    return count;
  }

  isLost(modelId: string): boolean {
    return this.#problems.has(modelId);
  }

  /** Why the model's last canary failed on the dataset that is served now. Undefined if it did not, or was lost otherwise. */
  failureOf(modelId: string): Sentence | undefined {
    const problem = this.#problems.get(modelId);
    return problem?.version === this.#version ? problem.failure : undefined;
  }

  /**
   * Begins a turn on a dataset version. Forgets models that get no canaries any more: they could never come back, and the alert
   * would fire on their last success.
   */
  begin(version: string, models: readonly Model[]): void {
    this.#version = version;
    for (const { id: model } of MODELS.filter((each) => !models.includes(each))) {
      this.#problems.delete(model);
      lastSuccess.remove({ model });
      failuresInARow.remove({ model });
    }
  }

  /** @throws Error that names each model whose last canary failed */
  requireBack(): void {
    if (this.#problems.size === 0) return;
    const lost = [...this.#problems].map(([model, { what }]) => `${model} (${what})`);
    throw new Error(`did not come back: ${lost.join(', ')}`);
  }
}
