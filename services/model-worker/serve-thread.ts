import { parentPort, workerData } from 'node:worker_threads';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { connectClickHouse } from '#shared/clickhouse/clickhouse.ts';
import { KeptLessons } from './lessons/kept-lessons.ts';
import { HeldPanel } from './held-panel.ts';
import { LessonRequests } from './lessons/shared-lessons.ts';
import { RunCancellation } from './run-cancellation.ts';
import type { Screen } from '#models/screen.ts';
import type { ThreadStart, ToThread } from './thread-messages.ts';
import { ThreadRuns } from './thread-runs.ts';

/** Enough for about thirty lessons of a market of 900 stocks, or twenty times as many of a small market. */
const MAX_LESSON_BYTES = 48 * 1024 ** 2;
/** A thread that has been idle for this long may learn ahead. */
const IDLE_MS = 250;
/**
 * After this long without a byte of a dataset its connection counts as lost, because runs wait for it. A whole dataset may take
 * longer.
 */
const SILENCE_MS = 15_000;

/** Obeys the messages of the main thread until it says stop. Call in the thread that a Screener has started. */
export function serveThread(screenOf: (modelId: string) => Screen): void {
  const start = workerData as ThreadStart;
  const { clickhouseAt, trainerThreads, patienceMs, reusesModels, preparesFrom } = start;
  const port = parentPort!;
  const clickhouse = connectClickHouse(clickhouseAt, SILENCE_MS);
  // Started here, so that it is ready for the first run.
  const trainer = ThreadedTrainer.start(trainerThreads);
  // Many workers learn days of backfills at the same time. Threads that wait for each other in one worker would only compete
  // with those of another, so use a single thread.
  let historyTrainer: Promise<ThreadedTrainer> | undefined;
  const lessonRequests = new LessonRequests((message) => port.postMessage(message));
  const runs = new ThreadRuns({
    panels: new HeldPanel(clickhouse),
    trainer: () => trainer,
    historyTrainer: () => (historyTrainer ??= ThreadedTrainer.start(1)),
    screenOf,
    lessons: reusesModels ? new KeptLessons(MAX_LESSON_BYTES, lessonRequests) : undefined,
    preparesFrom,
    patienceMs,
    cancellation: new RunCancellation(start.cancellation),
    preparation: new RunCancellation(start.preparation),
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
    await (await historyTrainer)?.stop();
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'load') void runs.load(message.dataset).then(prepareWhenIdle);
    else if (message.kind === 'run') void runs.run(message.dataset, message.run).then(prepareWhenIdle);
    else if (message.kind === 'lesson') lessonRequests.answer(message.name, message.serialised);
    else void stop();
  });
}
