import { parentPort, workerData } from 'node:worker_threads';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { HeldPanel } from './held-panel.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { Screen } from '#screens/screen.ts';
import type { ThreadStart, ToThread } from './thread-messages.ts';
import { ThreadRuns } from './thread-runs.ts';

/** A whole dataset on a busy machine. */
const LOAD_TIMEOUT_MS = 60_000;

/** Does what the main thread says until that says stop. Call in the thread that a Screener has started. */
export function serveThread(screenOf: (modelId: string) => Screen): void {
  const { clickhouseUrl, trainerThreads, patienceMs, cancellation } = workerData as ThreadStart;
  const port = parentPort!;
  const clickhouse = connectClickHouse(clickhouseUrl, LOAD_TIMEOUT_MS);
  // Begun at once, so that a first run finds it started.
  const trainer = ThreadedTrainer.start(trainerThreads);
  const runs = new ThreadRuns({
    panels: new HeldPanel(clickhouse),
    trainer: () => trainer,
    screenOf,
    patienceMs,
    cancellation: new RunCancellation(cancellation),
    post: (message) => port.postMessage(message),
  });
  const stop = async () => {
    port.close();
    await clickhouse.close();
    await (await trainer).stop();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'load') void runs.load(message.dataset);
    else if (message.kind === 'run') void runs.run(message.dataset, message.run);
    else void stop();
  });
}
