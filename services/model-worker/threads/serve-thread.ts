import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '#shared/process/collect-garbage.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import type { Screen } from '#models/screen.ts';
import { ThreadModelCache } from '../model-cache/thread-model-cache.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { FromThread, ThreadQuery, ThreadStart, ToThread } from './thread-messages.ts';
import { ThreadRequests } from './thread-requests.ts';
import { ThreadRuns } from './thread-runs.ts';

/** Trainings of a backfill follow each other faster. */
const FREE_AFTER_MS = 2_000;

/** Obeys the messages of the main thread until it says stop. Call in the thread that a ScreenThread has started. */
export function serveThread(screenOf: (modelId: string) => Screen): void {
  const { trainerThreads, patienceMs, reusesModels, cancellation } = workerData as ThreadStart;
  const port = parentPort!;
  const post = (message: FromThread) => port.postMessage(message);
  // Started here, so that it is ready for the first run.
  const trainer = ThreadedTrainer.start(trainerThreads);
  // Many threads learn days of backfills at the same time. Trainer threads that wait for each other in one would only compete
  // with those of another, so use a single thread.
  let historyTrainer: Promise<ThreadedTrainer> | undefined;
  const requests = new ThreadRequests<ThreadQuery>(post);
  const modelCache = new ThreadModelCache({
    find: (name, willLearn) => requests.ask({ what: 'model', name, willLearn }),
    learnt: (name, cachedModel) => post({ kind: 'learnt', name, cachedModel }),
  });
  const runs = new ThreadRuns({
    brokerRows: {
      flowOf: (version, span) => requests.ask({ what: 'flow', version, span }),
      monthsOf: (version, span) => requests.ask({ what: 'months', version, span }),
    },
    trainer: () => trainer,
    historyTrainer: () => (historyTrainer ??= ThreadedTrainer.start(1)),
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
    idle = setTimeout(() => void freeMemory(), FREE_AFTER_MS).unref();
  };
  const freeMemory = async () => {
    for (const each of await Promise.all([trainer, historyTrainer])) each?.freeMemory();
    collectGarbage();
  };
  const stop = async () => {
    clearTimeout(idle);
    port.close();
    await (await trainer).stop();
    await (await historyTrainer)?.stop();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'run') void run(message);
    else if (message.kind === 'forget') runs.forget(message.version);
    else if (message.kind === 'answer') requests.settle(message);
    else void stop();
  });
}
