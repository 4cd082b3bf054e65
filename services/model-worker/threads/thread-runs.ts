import { inspect } from 'node:util';
import { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import { TrainingCancelled, type Trainer } from '#quant/learning/boosting/trainer.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { TrainerPoolAborted } from '#trainer-threads/barrier.ts';
import { marketKnownOn } from '#models/inputs/market-in-memory.ts';
import { packExplanation } from '#models/picks/run-explanation.ts';
import { stockScores } from '#models/explain/stock-scores.ts';
import { localisedJson } from '#models/reasons/localised-json.ts';
import { RunFailure } from '#models/inputs/run-failure.ts';
import type { Screen, ScreenInput } from '#models/model/screen.ts';
import { isClickHouseUnavailable } from '#platform/clickhouse/clickhouse.ts';
import { collectGarbage } from '#platform/process/collect-garbage.ts';
import { FAILURE, unreadableFor } from '../failures/failure-messages.ts';
import type { ThreadModelCache } from '../model-cache/thread-model-cache.ts';
import { BrokerDaysCache } from '../market/broker-days-cache.ts';
import type { MarketSource } from '../market/market-source.ts';
import { openMarket, type OpenMarket, type SharedMarket } from '../market/shared-market.ts';
import { retry } from '../failures/retry.ts';
import { RunTimings, withTimings } from './run-timings.ts';
import type { RunCancellation } from './run-cancellation.ts';
import type { FromThread, Outcome, SucceededRun, ThreadRun } from './thread-messages.ts';
import { Unreadable } from '../market/thread-requests.ts';

/** Pause before ClickHouse is tried again. */
const PAUSE_MS = 1_000;

/** Reads broker rows that the market in memory lacks. Rejects when they cannot be read now. */
export type BrokerRows = Pick<MarketSource, 'flowOf' | 'monthsOf'>;

interface ThreadRunsDependencies {
  brokerRows: BrokerRows;
  trainer: () => Promise<Trainer>;
  /** Trainer for days of backfills; the same trainer if absent. */
  historyTrainer?: () => Promise<Trainer>;
  screenOf: (modelId: string) => Screen;
  /** Cached models of earlier runs; absent if nothing is reused. */
  modelCache?: ThreadModelCache | undefined;
  patienceMs: number;
  cancellation: RunCancellation;
  post: (message: Exclude<FromThread, { kind: 'request' }>) => void;
}

/** A market with what this thread has computed and read for it so far. */
interface MarketInUse extends OpenMarket {
  brokerDays: BrokerDaysCache;
}

/** The work of a screen thread: runs models, one at a time. */
export class ThreadRuns {
  readonly #deps: ThreadRunsDependencies;
  /** By version. There are two while a new one is prepared. */
  readonly #markets = new Map<string, MarketInUse>();

  constructor(deps: ThreadRunsDependencies) {
    this.#deps = deps;
  }

  /**
   * Runs a model. Waits up to `patienceMs` while ClickHouse is unavailable.
   * @throws TrainerPoolAborted when a thread of the trainer is lost. No later run could train, so this thread must end.
   */
  async run(shared: SharedMarket, wanted: ThreadRun): Promise<void> {
    const { post } = this.#deps;
    const market = this.open(shared);
    try {
      const outcome = await this.#screen(market, wanted);
      post({ kind: 'finished', outcome });
      if (!leavesMemory(outcome, market, wanted)) return;
    } catch (error) {
      if (error instanceof TrainerPoolAborted) throw error;
      post({ kind: 'finished', ...failureOf(error, market, wanted) });
    }
    collectGarbage();
  }

  /** The market as this thread reads it, the same for all runs on a version. */
  open(shared: SharedMarket): MarketInUse {
    const { version } = shared.dataset;
    const known = this.#markets.get(version);
    if (known) return known;
    const market = openMarket(shared);
    const inUse = { ...market, brokerDays: new BrokerDaysCache(market) };
    this.#markets.set(version, inUse);
    return inUse;
  }

  /** Lets go of the broker rows of days that only training needs. */
  forgetOlderBrokerDays(): void {
    for (const market of this.#markets.values()) market.brokerDays.forgetOlder();
    collectGarbage();
  }

  forget(version: string): void {
    this.#markets.delete(version);
    collectGarbage();
  }

  /**
   * Reads from ClickHouse during a run. Retries while ClickHouse is unavailable, because a claimed run cannot go to another
   * worker.
   * @throws TrainingCancelled when the run is given up meanwhile
   * @throws RunFailure when the data cannot be read
   */
  async #reading<T>(read: () => Promise<T>): Promise<T> {
    const { patienceMs, cancellation, post } = this.#deps;
    const mayPass = (error: Error) => {
      if (!isUnavailable(error) || cancellation.isRequested) return false;
      post({ kind: 'waiting' });
      return true;
    };
    try {
      return await retry(read, { forMs: patienceMs, mayPass, pauseMs: PAUSE_MS });
    } catch (cause) {
      if (cancellation.isRequested) throw new TrainingCancelled();
      throw new RunFailure(
        'data_unavailable',
        isUnavailable(cause) ? unreadableFor(patienceMs) : FAILURE.notLoaded,
        {
          cause,
        },
      );
    }
  }

  async #screen(market: MarketInUse, wanted: ThreadRun): Promise<SucceededRun> {
    const { brokerRows, screenOf, cancellation, historyTrainer = this.#deps.trainer } = this.#deps;
    const trainer = wanted.isHistory ? historyTrainer : this.#deps.trainer;
    const modelCache = this.#deps.modelCache?.of(market, wanted);
    const { dataset } = market;
    const { model_id, analysis_date, params, view } = wanted;
    const { panel, regime, features } = marketKnownOn(market, analysis_date);
    const timings = new RunTimings(wanted.begunAtMs);
    timings.mark('dataset');
    const screen = screenOf(model_id);
    const brokerFlow = await this.#flowOf(market, screen.brokerSpan?.(panel, params, analysis_date));
    const daySpan = screen.brokerDaySpan?.(panel, params, analysis_date);
    const monthsOf = (span: DaySpan) =>
      this.#reading(() => brokerRows.monthsOf(market.dataset.version, span));
    const brokerDaysOf = async (span?: DaySpan) => (await market.brokerDays.of(span, monthsOf)).beside(panel);
    const brokerDays = await brokerDaysOf(daySpan);
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
      brokerDaysOf,
      analysisDate: analysis_date,
      shouldStop: () => cancellation.isRequested,
      mark: timings.mark,
      ...(modelCache && { modelCache }),
    };
    const output = await screen.run(input);
    timings.mark('selection');
    const { summary, model } = output;
    const lastDate = panel.columns.dates.at(-1) ?? '';
    const record = output.record && { ...output.record, lastDate };
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
      scores: wanted.reportsScores && output.explanation ? stockScores(output.explanation) : undefined,
      stages: timings.stages,
    };
  }

  /** Broker rows for at least these days: those in memory or, for older days, just the requested ones, read now. */
  async #flowOf(
    { dataset, recentFlow, segments }: MarketInUse,
    span: DaySpan | undefined,
  ): Promise<BrokerFlow> {
    const isHeld = !span || segments.length === 0 || span.firstDay >= recentFlow.columns.firstDay;
    if (isHeld) return recentFlow;
    return new BrokerFlow(await this.#reading(() => this.#deps.brokerRows.flowOf(dataset.version, span)));
  }
}

/**
 * Whether a run leaves memory that V8 does not count: one that learns, or that reads days which are not in memory. After others, a
 * collection would take several times the processor time of the run.
 */
function leavesMemory(
  { stages }: SucceededRun,
  { panel }: OpenMarket,
  { analysis_date }: ThreadRun,
): boolean {
  return stages.some(({ stage }) => stage === 'learning') || analysis_date < panel.columns.dates.at(-1)!;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Unreadable ? error.isUnavailable : isClickHouseUnavailable(error);
}

/** The outcome of a run without a result, and the error if the fault is ours. */
function failureOf(
  error: unknown,
  { panel, dataset }: OpenMarket,
  { analysis_date }: ThreadRun,
): { outcome: Outcome; unexpected?: string } {
  if (error instanceof TrainingCancelled) return { outcome: { status: 'interrupted' } };
  const isTold = error instanceof RunFailure;
  const { in: message } = isTold ? error.reason : FAILURE.unexpected;
  const unexpected: unknown = isTold ? error.cause : error;
  const targetDate = panel.columns.dates[panel.dayOnOrBefore(analysis_date)];
  const { version: datasetVersion, kind: datasetKind } = dataset;
  const code = isTold ? error.code : 'internal_error';
  const outcome: Outcome = { status: 'failed', code, message, datasetVersion, datasetKind, targetDate };
  return unexpected === undefined ? { outcome } : { outcome, unexpected: inspect(unexpected) };
}
