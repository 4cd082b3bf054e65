import { inspect } from 'node:util';
import { TrainingCancelled, type Trainer } from '#quant/learning/boosting/trainer.ts';
import { CrewAborted } from '#trainer-threads/barrier.ts';
import { isClickHouseAway } from '#shared/clickhouse/clickhouse.ts';
import { defaultsOf } from '#models/parameters.ts';
import { MODELS } from '#models/registry.ts';
import type { Lessons } from '#models/learnt/lessons.ts';
import { packExplanation } from '#models/explain/run-explanation.ts';
import { localisedJson } from '#models/reasons/localised-json.ts';
import { RunFailure, type Screen, type ScreenInput } from '#models/screen.ts';
import { collectGarbage } from '#shared/process/collect-garbage.ts';
import { FAILURE, noDataOf, unreadableFor } from './failure-messages.ts';
import type { HeldPanel, LoadedPanel } from './held-panel.ts';
import { persist } from './persist.ts';
import type { RunCancellation } from './run-cancellation.ts';
import { RunTimings, withTimings } from './timings/run-timings.ts';
import type { DatasetToLoad, FromThread, Outcome, ThreadRun } from './thread-messages.ts';

/** Pause before ClickHouse is tried again. */
const PAUSE_MS = 1_000;

interface ThreadRunsDependencies {
  panels: HeldPanel;
  trainer: () => Promise<Trainer>;
  /** Trainer for days of backfills; the same trainer if absent. */
  historyTrainer?: () => Promise<Trainer>;
  screenOf: (modelId: string) => Screen;
  /** Lessons of earlier runs; absent if nothing is reused. */
  lessons?: Lessons | undefined;
  /** How long a run waits for an unavailable ClickHouse. */
  patienceMs: number;
  cancellation: RunCancellation;
  /** Index of the model with which learning ahead begins. */
  preparesFrom?: number;
  /** Asked while there is a run, so that nothing is learnt ahead then. If absent, nothing is ever learnt ahead. */
  preparation?: RunCancellation;
  post: (message: FromThread) => void;
}

/** The work of the screen thread: reads datasets and runs models on them, one at a time. */
export class ThreadRuns {
  readonly #deps: ThreadRunsDependencies;
  /** Models that the panel has been prepared for. */
  readonly #prepared = new WeakMap<LoadedPanel, Set<string>>();
  #isPreparing = false;

  constructor(deps: ThreadRunsDependencies) {
    this.#deps = deps;
  }

  /** Reads a dataset ahead of the next run. Never rejects: a run that needs the dataset reads it again. */
  async load(dataset: DatasetToLoad): Promise<void> {
    await this.#load(dataset).catch(() => {});
  }

  /**
   * Runs a model. Waits up to `patienceMs` while ClickHouse is unavailable.
   * @throws CrewAborted when a thread of the trainer is lost. No later run could learn, so this thread must end.
   */
  async run(dataset: DatasetToLoad, wanted: ThreadRun): Promise<void> {
    const { post } = this.#deps;
    let loaded: LoadedPanel | undefined;
    try {
      const timings = new RunTimings();
      loaded = await this.#panelFor(dataset, wanted);
      timings.mark('dataset');
      post({ kind: 'finished', outcome: await this.#screen(loaded, wanted, timings) });
    } catch (error) {
      if (error instanceof CrewAborted) throw error;
      post({ kind: 'finished', ...failureOf(error, loaded, wanted) });
    }
    collectGarbage();
  }

  /**
   * Learns what runs with the defaults need, one model after the other, until a run comes. An interrupted model is learnt again
   * from the start the next time.
   */
  async prepare(): Promise<void> {
    const { panels, lessons, preparation, preparesFrom = 0 } = this.#deps;
    const { held } = panels;
    if (!held || !lessons || !preparation || this.#isPreparing) return;
    const prepared = this.#prepared.get(held) ?? new Set();
    this.#prepared.set(held, prepared);
    this.#isPreparing = true;
    const wantedRuns = defaultRuns(held);
    const first = preparesFrom % wantedRuns.length;
    for (const wanted of [...wantedRuns.slice(first), ...wantedRuns.slice(0, first)]) {
      if (preparation.isAsked || panels.held !== held) break;
      if (!prepared.has(wanted.model_id) && (await this.#prepareFor(held, wanted, preparation)))
        prepared.add(wanted.model_id);
    }
    this.#isPreparing = false;
  }

  /**
   * Returns false if it gave way to a run. A model that cannot be learnt counts as prepared: no run with the defaults could
   * learn it.
   */
  async #prepareFor(held: LoadedPanel, wanted: ThreadRun, preparation: RunCancellation): Promise<boolean> {
    const { post } = this.#deps;
    try {
      await this.#screen(held, wanted, new RunTimings(), () => preparation.isAsked);
    } catch (error) {
      if (error instanceof CrewAborted) throw error;
      if (error instanceof TrainingCancelled) return false;
      post({ kind: 'unprepared', modelId: wanted.model_id, reason: (error as Error).message });
    }
    return true;
  }

  async #load(dataset: DatasetToLoad): Promise<LoadedPanel> {
    const { panels, post } = this.#deps;
    const begun = performance.now();
    try {
      const loaded = await panels.load(dataset);
      post({ kind: 'loaded', version: dataset.version, tookMs: performance.now() - begun });
      collectGarbage();
      return loaded;
    } catch (error) {
      post({ kind: 'not_loaded', version: dataset.version, reason: (error as Error).message });
      throw error;
    }
  }

  /**
   * The wanted version or, if it cannot be read now, the version in memory, unless that lacks the trading day that the run
   * needs. The result names the version used.
   */
  async #panelFor(dataset: DatasetToLoad, { trading_day = '' }: ThreadRun): Promise<LoadedPanel> {
    const { panels } = this.#deps;
    const { held } = panels;
    if (held?.dataset.version === dataset.version) return held;
    const isHeldEnough = () => panels.held !== undefined && lastDayOf(panels.held) >= trading_day;
    try {
      return await this.#reading(() => this.#load(dataset), isHeldEnough);
    } catch (error) {
      const isAway = isClickHouseAway((error as Error).cause);
      if (!panels.held || error instanceof TrainingCancelled || (isAway && !isHeldEnough())) throw error;
      return panels.held;
    }
  }

  /**
   * Reads from ClickHouse during a run. Retries while ClickHouse is unavailable, because a claimed run cannot go to another
   * worker.
   * @throws TrainingCancelled when the run is given up meanwhile
   * @throws RunFailure when the data cannot be read
   */
  async #reading<T>(read: () => Promise<T>, isSpared = () => false): Promise<T> {
    const { patienceMs, cancellation, post } = this.#deps;
    const mayPass = (error: Error) => {
      if (!isClickHouseAway(error) || cancellation.isAsked || isSpared()) return false;
      post({ kind: 'waiting' });
      return true;
    };
    try {
      return await persist(read, { forMs: patienceMs, mayPass, pauseMs: PAUSE_MS });
    } catch (cause) {
      if (cancellation.isAsked || cause instanceof TrainingCancelled) throw new TrainingCancelled();
      const isAway = isClickHouseAway(cause);
      throw new RunFailure('data_unavailable', isAway ? unreadableFor(patienceMs) : FAILURE.notLoaded, {
        cause,
      });
    }
  }

  async #screen(
    loaded: LoadedPanel,
    wanted: ThreadRun,
    timings: RunTimings,
    shouldStop = () => this.#deps.cancellation.isAsked,
  ): Promise<Outcome> {
    const { panels, screenOf, historyTrainer = this.#deps.trainer } = this.#deps;
    const trainer = wanted.isHistory ? historyTrainer : this.#deps.trainer;
    const lessons = wanted.isHistory ? withoutKeeping(this.#deps.lessons) : this.#deps.lessons;
    const { panel, regime, features, dataset } = loaded;
    const { model_id, analysis_date, params, view, trading_day = '' } = wanted;
    if (lastDayOf(loaded) < trading_day) throw new RunFailure('data_unavailable', noDataOf(trading_day));
    const screen = screenOf(model_id);
    const flowSpan = screen.brokerSpan?.(panel, params, analysis_date);
    const daySpan = screen.brokerDaySpan?.(panel, params, analysis_date);
    const brokerFlow = await this.#reading(() => panels.flowOf(loaded, flowSpan));
    const brokerDays = await this.#reading(() => loaded.brokerDays.of(daySpan, shouldStop));
    timings.mark('broker_rows');
    const input: ScreenInput = {
      panel,
      regime,
      features,
      trainer,
      dataset,
      params,
      view,
      brokerFlow,
      brokerDays,
      analysisDate: analysis_date,
      shouldStop,
      mark: timings.mark,
      ...(lessons && { lessons }),
    };
    const output = await screen.run(input);
    timings.mark('selection');
    const { summary, model } = output;
    const record = output.record && { ...output.record, lastDate: lastDayOf(loaded) };
    const explanation = output.explanation && packExplanation(output.explanation);
    const { json, english } = localisedJson(withTimings(output, timings.timings));
    const resultJson = new TextEncoder().encode(json);
    return {
      status: 'succeeded',
      resultJson,
      english,
      summary,
      datasetVersion: dataset.version,
      datasetKind: dataset.kind,
      record,
      model,
      explanation,
      stages: timings.stages,
    };
  }
}

function withoutKeeping(lessons: Lessons | undefined): Lessons | undefined {
  return lessons && { find: (key) => lessons.find(key), keep: () => {} };
}

/**
 * A run with the defaults for each model that learns from bars alone. Models that need broker rows are left to the first run:
 * their days take memory that a worker without such runs would waste.
 */
function defaultRuns(loaded: LoadedPanel): ThreadRun[] {
  const { panel, features } = loaded;
  const table = features();
  const { from, to } = table.rowsOf(panel.dayCount - 1);
  const tickers = Array.from(
    table.columns.ticker.subarray(from, to),
    (ticker) => panel.columns.tickers[ticker]!,
  );
  return MODELS.filter(({ learns, brokerNeeds }) => learns && !brokerNeeds).map((model) => ({
    model_id: model.id,
    analysis_date: lastDayOf(loaded),
    // The lesson does not depend on the positions, but a run without any would fail earlier.
    params: {
      ...defaultsOf(model.params),
      ...('positions' in model.params && model.examples(tickers)[0]?.params),
    },
    view: 'full',
  }));
}

function lastDayOf({ panel }: LoadedPanel): string {
  return panel.columns.dates.at(-1) ?? '';
}

/** The outcome of a run without a result, and the error if the fault is ours. */
function failureOf(
  error: unknown,
  loaded: LoadedPanel | undefined,
  { analysis_date }: ThreadRun,
): { outcome: Outcome; unexpected?: string } {
  if (error instanceof TrainingCancelled) return { outcome: { status: 'interrupted' } };
  const isTold = error instanceof RunFailure;
  const { in: message } = isTold ? error.reason : FAILURE.unexpected;
  const unexpected: unknown = isTold ? error.cause : error;
  const { dates = [] } = loaded?.panel.columns ?? {};
  const targetDate = dates[loaded?.panel.dayOnOrBefore(analysis_date) ?? -1];
  const { version: datasetVersion, kind: datasetKind } = loaded?.dataset ?? {};
  const code = isTold ? error.code : 'internal_error';
  const outcome: Outcome = { status: 'failed', code, message, datasetVersion, datasetKind, targetDate };
  return unexpected === undefined ? { outcome } : { outcome, unexpected: inspect(unexpected) };
}
