import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { MarketReader } from '#services/model-worker/market/market-reader.ts';
import type { OpenMarket, SharedMarket } from '#services/model-worker/market/shared-market.ts';
import { RunCancellation } from '#services/model-worker/threads/run-cancellation.ts';
import type { TrainedMarket } from '#models/trained/trained-market.ts';
import { loadScreens } from '#models/registry.ts';
import type { Screen, ScreenSummary } from '#models/model/screen.ts';
import { ThreadRuns } from '#services/model-worker/threads/thread-runs.ts';
import type { FromThread, ThreadRun } from '#services/model-worker/threads/thread-messages.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';

/** As many as a worker that has two cores to itself. */
const TRAINER_THREADS = 2;

export interface PastRun {
  tookMs: number;
  result: Record<string, unknown>;
  summary: ScreenSummary;
  /** What the screen trained, if it learns which names reach a target. */
  trained: TrainedMarket | undefined;
}

/** The reason why there is no result: the message for the caller. */
export interface FailedRun {
  failure: string;
}

/** Runs models as of past days, in this process, with the same code as a worker's thread. */
export class PastRuns {
  readonly market: OpenMarket;
  readonly #shared: SharedMarket;
  readonly #trainer: ThreadedTrainer;
  readonly #runs: ThreadRuns;
  #trained: TrainedMarket | undefined;
  #finished: Extract<FromThread, { kind: 'finished' }> | undefined;

  private constructor(
    shared: SharedMarket,
    reader: MarketReader,
    trainer: ThreadedTrainer,
    screenOf: (modelId: string) => Screen,
  ) {
    this.#shared = shared;
    this.#trainer = trainer;
    this.#runs = new ThreadRuns({
      brokerRows: reader,
      trainer: async () => trainer,
      screenOf: (modelId) => this.#watched(screenOf(modelId)),
      patienceMs: 0,
      cancellation: new RunCancellation(),
      post: (message) => {
        if (message.kind === 'finished') this.#finished = message;
      },
    });
    this.market = this.#runs.open(shared);
  }

  static async start(sql: ClickHouseClient, dataset: Dataset): Promise<PastRuns> {
    const reader = new MarketReader(sql);
    const shared = await reader.read(dataset);
    const trainer = await ThreadedTrainer.start(TRAINER_THREADS);
    return new PastRuns(shared, reader, trainer, await loadScreens());
  }

  /** @throws Error when a model fails for a reason that no caller should ever see */
  async run(wanted: ThreadRun): Promise<PastRun | FailedRun> {
    this.#trained = undefined;
    const begun = performance.now();
    await this.#runs.run(this.#shared, wanted);
    const tookMs = performance.now() - begun;
    const { outcome, unexpected } = this.#finished!;
    if (unexpected !== undefined || outcome.status === 'interrupted')
      throw new Error(`${wanted.model_id} on ${wanted.analysis_date}: ${unexpected ?? 'was interrupted'}`);
    if (outcome.status === 'failed') return { failure: outcome.message.en };
    const result = JSON.parse(new TextDecoder().decode(outcome.resultJson)) as PastRun['result'];
    return { tookMs, result, summary: outcome.summary, trained: this.#trained };
  }

  async stop(): Promise<void> {
    await this.#trainer.stop();
  }

  #watched(screen: Screen): Screen {
    const onTrained = (market: TrainedMarket) => void (this.#trained = market);
    return { ...screen, run: (input) => screen.run({ ...input, onTrained }) };
  }
}
