import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Screen } from '#models/model/screen.ts';
import { ThreadModelCache } from '../model-cache/thread-model-cache.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { FromThread, ThreadQuery, ThreadStart, ToThread } from './thread-messages.ts';
import { ThreadRequests } from '../market/thread-requests.ts';
import { ThreadRuns } from './thread-runs.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';

/**
 * How long what only training needs outlasts a run: trainers, and the broker rows of past days. A trainer keeps up to 30 MiB of a
 * market of 900 stocks, and its threads 15 MiB each. A new one starts within the time that a training needs to gather its rows.
 */
const LEARNING_IDLE_MS = 10_000;
/** A thread that wants the same processor gets three times as much of it. */
const YIELDING = 5;

/** Obeys the messages of the main thread until it says stop. Call in the thread that a ScreenThread has started. */
export function serveThread(screenOf: (modelId: string) => Screen): void {
  const { trainerThreads, patienceMs, reusesModels, yields, cancellation } = workerData as ThreadStart;
  // On Linux a priority is one of a thread and of those that it starts; elsewhere it would be one of the process.
  if (yields && process.platform === 'linux') setPriority(YIELDING);
  const port = parentPort!;
  const post = (message: FromThread) => port.postMessage(message);
  const trainer = new TrainerWhenNeeded(trainerThreads);
  // Many threads train for days of backfills at the same time. Trainer threads that wait for each other in one would only compete
  // with those of another, so use a single thread.
  const historyTrainer = new TrainerWhenNeeded(1);
  const requests = new ThreadRequests<ThreadQuery>(post);
  const modelCache = new ThreadModelCache({
    find: (name, willLearn) => requests.ask({ what: 'model', name, willLearn }),
    trained: (name, cachedModel) => post({ kind: 'trained', name, cachedModel }),
  });
  const runs = new ThreadRuns({
    brokerRows: {
      flowOf: (version, span) => requests.ask({ what: 'flow', version, span }),
      monthsOf: (version, span) => requests.ask({ what: 'months', version, span }),
    },
    trainer: trainer.get,
    historyTrainer: historyTrainer.get,
    screenOf,
    modelCache: reusesModels ? modelCache : undefined,
    patienceMs,
    cancellation: new RunCancellation(cancellation),
    post,
  });
  let idle: NodeJS.Timeout | undefined;
  const run = async ({ market, run: wanted }: Extract<ToThread, { kind: 'run' }>) => {
    clearTimeout(idle);
    await runs.run(market, wanted);
    idle = setTimeout(() => void forgetLearning(), LEARNING_IDLE_MS).unref();
  };
  const forgetLearning = async () => {
    await stopTrainers();
    runs.forgetOlderBrokerDays();
  };
  const stopTrainers = () => Promise.all([trainer.stop(), historyTrainer.stop()]);
  const stop = async () => {
    clearTimeout(idle);
    port.close();
    await stopTrainers();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'run') void run(message);
    else if (message.kind === 'forget') runs.forget(message.version);
    else if (message.kind === 'answer') requests.settle(message);
    else void stop();
  });
}

/** A trainer that is started when it is first needed, and again after it was stopped. */
export class TrainerWhenNeeded {
  readonly #threads: number;
  #trainer: Promise<ThreadedTrainer> | undefined;

  constructor(threads: number) {
    this.#threads = threads;
  }

  readonly get = (): Promise<ThreadedTrainer> => (this.#trainer ??= ThreadedTrainer.start(this.#threads));

  /** Ends its threads. Call while nothing trains. */
  async stop(): Promise<void> {
    const trainer = this.#trainer;
    this.#trainer = undefined;
    await (await trainer)?.stop();
  }
}
