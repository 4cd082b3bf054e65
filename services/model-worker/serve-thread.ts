import { parentPort, workerData } from 'node:worker_threads';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { KeptLessons } from './kept-lessons.ts';
import { HeldPanel } from './held-panel.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { Screen } from '#screens/screen.ts';
import type { ThreadStart, ToThread } from './thread-messages.ts';
import { ThreadRuns } from './thread-runs.ts';

/** Some thirty of a market of 900 stocks, and twenty times as many of a small one. */
const MAX_LESSON_BYTES = 48 * 1024 ** 2;
/** A thread that has had nothing to do for so long may learn ahead. */
const IDLE_MS = 250;
/** A whole dataset on a busy machine. */
const LOAD_TIMEOUT_MS = 60_000;

/** Does what the main thread says until that says stop. Call in the thread that a Screener has started. */
export function serveThread(screenOf: (modelId: string) => Screen): void {
  const { clickhouseUrl, trainerThreads, patienceMs, reusesModels, cancellation, preparation } =
    workerData as ThreadStart;
  const port = parentPort!;
  const clickhouse = connectClickHouse(clickhouseUrl, LOAD_TIMEOUT_MS);
  // Begun at once, so that a first run finds it started.
  const trainer = ThreadedTrainer.start(trainerThreads);
  const runs = new ThreadRuns({
    panels: new HeldPanel(clickhouse),
    trainer: () => trainer,
    screenOf,
    lessons: reusesModels ? new KeptLessons(MAX_LESSON_BYTES) : undefined,
    patienceMs,
    cancellation: new RunCancellation(cancellation),
    preparation: new RunCancellation(preparation),
    post: (message) => port.postMessage(message),
  });
  let idle: NodeJS.Timeout | undefined;
  const prepareWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => void runs.prepare(), IDLE_MS);
  };
  const stop = async () => {
    clearTimeout(idle);
    port.close();
    await clickhouse.close();
    await (await trainer).stop();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'load') void runs.load(message.dataset).then(prepareWhenIdle);
    else if (message.kind === 'run') void runs.run(message.dataset, message.run).then(prepareWhenIdle);
    else void stop();
  });
}
