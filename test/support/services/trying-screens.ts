import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { TrainingCancelled } from '#quant/learning/boosting/trainer.ts';
import { TrainerPoolAborted } from '#trainer-threads/barrier.ts';
import type { Screen, ScreenInput, ScreenOutput } from '#models/model/screen.ts';

/** The result of every model: the thread in which it ran, and the day that it had to analyse. */
const output = ({ analysisDate }: ScreenInput): ScreenOutput => ({
  result: { thread: threadId, analysisDate },
  summary: { pick_count: 0, tickers: [], target_date: analysisDate },
});

/** Creates the file `params.sign` if there is one, which shows a test that the model is running. */
const showLife = ({ params }: ScreenInput): void => {
  if (typeof params['sign'] === 'string') writeFileSync(params['sign'], '');
};

const RUNS: Record<string, (input: ScreenInput) => Promise<ScreenOutput>> = {
  quick: async (input) => output(input),
  /** A model that never trains, as workers know. */
  confluence_filter: async (input) => output(input),
  /** Trains for `params.rounds` rounds of a few milliseconds each. */
  learning: async (input) => {
    const matrix = noiseMatrix(60_000, 30, 1);
    const trainer = await input.trainer();
    let round = 0;
    trainer.train(trainer.bin(matrix), {
      classes: 2,
      labels: plantedLabels(matrix, 2, 1),
      rows: matrix.allRows,
      parameters: { rounds: input.params['rounds'] as number },
      shouldStop: () => {
        if (round++ === 0) showLife(input);
        return input.shouldStop();
      },
    });
    return output(input);
  },
  /** Takes `params.ms` and ignores requests to stop. */
  deaf: async (input) => {
    showLife(input);
    await sleep(input.params['ms'] as number);
    return output(input);
  },
  /** Blocks its thread until it is terminated. */
  hanging: async (input) => {
    showLife(input);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return output(input);
  },
  /** Fills the heap of its thread. */
  greedy: async (input) => {
    const held: number[][] = [];
    while (!input.shouldStop()) held.push(Array.from({ length: 100_000 }, (_, i) => i + Math.random()));
    return output(input);
  },
  /** Needs a model, and trains it in no time. */
  of_cached_model: async (input) => {
    await input.modelCache!.find('a model');
    if (input.shouldStop()) throw new TrainingCancelled();
    return output(input);
  },
  /** Reads broker rows that are not in memory. */
  of_old_brokers: async (input) => output(input),
  /** Fails as when the trainer has lost a thread. */
  bereft: async () => {
    throw new TrainerPoolAborted('the trainer has lost a thread');
  },
};

export function tryingScreen(modelId: string): Screen {
  const run = RUNS[modelId]!;
  return modelId === 'of_old_brokers' ? { run, brokerSpan: () => ({ firstDay: 0, lastDay: 0 }) } : { run };
}
