import { inspect } from 'node:util';
import type { Trainer } from '#quant/learning/boosting/trainer.ts';
import { TrainingCancelled } from '#quant/learning/boosting/training-task.ts';
import { CrewAborted } from '#quant/learning/threads/barrier.ts';
import { collectGarbage } from '#shared/collect-garbage.ts';
import { FAILURE, noDataOf } from './failure-messages.ts';
import type { HeldPanel, LoadedPanel } from './held-panel.ts';
import type { RunCancellation } from './run-cancellation.ts';
import { RunFailure } from './screens/run-failure.ts';
import type { Screen, ScreenInput } from './screens/screen.ts';
import type { DatasetToLoad, FromThread, Outcome, ThreadRun } from './thread-messages.ts';

export interface ThreadRunsDependencies {
  panels: HeldPanel;
  trainer: () => Promise<Trainer>;
  screenOf: (modelId: string) => Screen;
  cancellation: RunCancellation;
  tell: (message: FromThread) => void;
}

/** What the screen thread does: it reads datasets and runs models on them, one at a time. */
export class ThreadRuns {
  readonly #deps: ThreadRunsDependencies;

  constructor(deps: ThreadRunsDependencies) {
    this.#deps = deps;
  }

  async load(dataset: DatasetToLoad): Promise<LoadedPanel | undefined> {
    const { panels, tell } = this.#deps;
    const begun = performance.now();
    try {
      const loaded = await panels.load(dataset);
      tell({ kind: 'loaded', version: dataset.version, tookMs: performance.now() - begun });
      collectGarbage();
      return loaded;
    } catch (error) {
      tell({ kind: 'not_loaded', version: dataset.version, reason: (error as Error).message });
      return undefined;
    }
  }

  /**
   * A version that cannot be read now leaves the one in memory good enough, unless the run needs a trading day which that
   * lacks: the result says which one it saw.
   * @throws CrewAborted when a thread of the trainer is lost: no later run could learn, so this thread must not go on.
   */
  async run(dataset: DatasetToLoad, wanted: ThreadRun): Promise<void> {
    const { panels, tell } = this.#deps;
    const isHeld = panels.held?.dataset.version === dataset.version;
    const loaded = (isHeld ? undefined : await this.load(dataset)) ?? panels.held;
    if (!loaded) return tell({ kind: 'finished', outcome: { status: 'failed', message: FAILURE.notLoaded } });
    const datasetVersion = loaded.dataset.version;
    try {
      tell({ kind: 'finished', outcome: await this.#screen(loaded, wanted) });
    } catch (error) {
      if (error instanceof CrewAborted) throw error;
      tell({ kind: 'finished', ...failureOf(error, datasetVersion) });
    }
    collectGarbage();
  }

  async #screen(loaded: LoadedPanel, wanted: ThreadRun): Promise<Outcome> {
    const { panels, screenOf, trainer, cancellation } = this.#deps;
    const { panel, regime, features, dataset } = loaded;
    const { model_id, analysis_date, params, view, trading_day = '' } = wanted;
    if ((panel.columns.dates.at(-1) ?? '') < trading_day) throw new RunFailure(noDataOf(trading_day));
    const screen = screenOf(model_id);
    const [flowSpan, daySpan] = [screen.brokerSpan, screen.brokerDaySpan].map((daysOf) =>
      daysOf?.(panel, params, analysis_date),
    );
    const shouldStop = () => cancellation.isAsked;
    const input: ScreenInput = {
      ...{ panel, regime, features, trainer, dataset, params, view },
      analysisDate: analysis_date,
      brokerFlow: await read(() => panels.flowOf(loaded, flowSpan)),
      brokerDays: await read(() => loaded.brokerDays.of(daySpan, shouldStop)),
      shouldStop,
    };
    const { result, summary, model } = await screen.run(input);
    const resultJson = new TextEncoder().encode(JSON.stringify(result));
    return { status: 'succeeded', resultJson, summary, datasetVersion: dataset.version, model };
  }
}

/** Without its broker rows a run would be another one, hence none. */
async function read<T>(rows: () => Promise<T>): Promise<T> {
  try {
    return await rows();
  } catch (cause) {
    if (cause instanceof TrainingCancelled) throw cause;
    throw new RunFailure(FAILURE.notLoaded, { cause });
  }
}

/** How a run ended that gave no result, and what of it is a fault of ours. */
function failureOf(error: unknown, datasetVersion: string): { outcome: Outcome; unexpected?: string } {
  if (error instanceof TrainingCancelled) return { outcome: { status: 'interrupted' } };
  const isTold = error instanceof RunFailure;
  const message = isTold ? error.message : FAILURE.unexpected;
  const unexpected: unknown = isTold ? error.cause : error;
  const outcome: Outcome = { status: 'failed', message, datasetVersion };
  return unexpected === undefined ? { outcome } : { outcome, unexpected: inspect(unexpected) };
}
