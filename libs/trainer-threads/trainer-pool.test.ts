import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { binRows, valuesToBin } from '#quant/learning/binning/bin-rows.ts';
import { binnedLayout } from '#quant/learning/binning/binned-layout.ts';
import { noiseMatrix, plantedLabels } from '#quant/learning/boosting/planted-fixture.ts';
import { ThreadedTrainer } from './threaded-trainer.ts';
import { TrainingCancelled, type TrainingTask } from '#quant/learning/boosting/trainer.ts';
import { FeatureMatrix } from '#quant/learning/feature-matrix.ts';
import { TrainerPoolAborted } from './barrier.ts';
import { TrainerPool } from './trainer-pool.ts';
import type { Task } from '#quant/learning/boosting/boost.ts';

const matrix = noiseMatrix(3_000, 4, 1);
const task: TrainingTask = {
  classes: 2,
  labels: plantedLabels(matrix, 2, 2),
  rows: matrix.allRows,
  parameters: { rounds: 3 },
};

let trainer: ThreadedTrainer | null = null;
afterEach(() => trainer?.stop());

async function twoThreads(): Promise<ThreadedTrainer> {
  trainer = await ThreadedTrainer.start(2);
  return trainer;
}

const IMPORTS = `
  const { ThreadedTrainer } = await import('${new URL('./threaded-trainer.ts', import.meta.url).href}');
  const { noiseMatrix } = await import('${new URL('../quant/learning/boosting/planted-fixture.ts', import.meta.url).href}');
`;

/** The output of code in its own process, which must exit within ten seconds without being stopped. */
async function printedBy(source: string): Promise<string> {
  const running = promisify(execFile)(process.execPath, ['-'], { timeout: 10_000 });
  running.child.stdin!.end(`(async () => { ${IMPORTS} ${source} })()`);
  const { stdout } = await running;
  return stdout.trim();
}

describe('a crew', () => {
  test.each([
    ['waits for it', 0],
    ['comes to wait for it later', 300],
  ])('throws the error of a helper when the calling thread %s, and keeps working', async (_, delayMs) => {
    const pool = await TrainerPool.start(2);
    const broken = { kind: 'bin', job: null } as unknown as Task;
    const lead = () =>
      pool.run(broken, (self) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
        self.barrier.wait();
      });
    expect(lead).toThrow(/null/);
    const { rowCount } = matrix;
    const job = { rowCount, features: 4, bins: 8, cutRows: matrix.allRows };
    pool.requireMemory(binnedLayout(job).endOfValues);
    valuesToBin(pool.views(), job).set(matrix.values);
    expect(pool.run({ kind: 'bin', job }, (self) => binRows(self, job))).toBe(true);
    await pool.stop();
  });

  test('releases its helpers when the calling thread fails, and keeps working', async () => {
    const [binned, first] = await trained();
    const failing = {
      ...task,
      shouldStop: () => {
        throw new Error('the caller fails');
      },
    };
    expect(() => trainer!.train(binned, failing)).toThrow('the caller fails');
    expect(trainer!.train(binned, task)).toEqual(first);
  });

  test('stops a training between rounds on request, and keeps working', async () => {
    const [binned, first] = await trained();
    let requested = 0;
    const shouldStop = () => ++requested === 2;
    expect(() => trainer!.train(binned, { ...task, shouldStop })).toThrow(TrainingCancelled);
    expect(requested).toBe(2);
    expect(trainer!.train(binned, task)).toEqual(first);
  });

  test('stops parallel trainings between rounds on request, and keeps working', async () => {
    const [binned, first] = await trained();
    let requested = 0;
    const each = { ...task, parameters: { rounds: 10_000 }, shouldStop: () => ++requested === 2 };
    expect(() => trainer!.trainAlike(binned, each, [each])).toThrow(TrainingCancelled);
    expect(trainer!.train(binned, task)).toEqual(first);
  });

  test('releases a thread that trains another task when the calling thread fails, and keeps working', async () => {
    const [binned, first] = await trained();
    const shouldStop = () => {
      throw new Error('the caller fails');
    };
    const each = { ...task, parameters: { rounds: 10_000 }, shouldStop };
    expect(() => trainer!.trainAlike(binned, each, [each])).toThrow('the caller fails');
    expect(trainer!.trainAlike(binned, task, [task])).toEqual([first, first]);
  });

  test('does not retain previously binned matrices', async () => {
    const before = process.memoryUsage().rss;
    await twoThreads();
    for (let i = 0; i < 30; i++) {
      const large = new FeatureMatrix(
        Array.from({ length: 20 }, (_, f) => `f${f}`),
        250_000,
      );
      large.values.fill(i);
      trainer!.bin(large);
    }
    expect((process.memoryUsage().rss - before) / 2 ** 20, 'MiB').toBeLessThan(300);
  });

  test('refuses to work once stopped', async () => {
    const stopped = await ThreadedTrainer.start(2);
    await stopped.stop();
    expect(() => stopped.bin(matrix)).toThrow(TrainerPoolAborted);
    await stopped.stop();
  });

  test('does not keep its process alive', async () => {
    const printed = await printedBy(`
      const trainer = await ThreadedTrainer.start(3);
      trainer.bin(noiseMatrix(2_000, 3, 1));
      console.log('done');
    `);
    expect(printed).toBe('done');
  });

  test('ends with the thread that started it, even in the middle of a training', async () => {
    const endless = `(async () => {
      ${IMPORTS}
      const trainer = await ThreadedTrainer.start(2);
      const matrix = noiseMatrix(20_000, 10, 1);
      const labels = matrix.column(0).map(Math.round);
      const { parentPort } = await import('node:worker_threads');
      let rounds = 0;
      const shouldStop = () => {
        if (++rounds === 3) parentPort.postMessage('training');
        return false;
      };
      const parameters = { rounds: 10_000 };
      trainer.train(trainer.bin(matrix), { classes: 2, labels, rows: matrix.allRows, parameters, shouldStop });
    })()`;
    const printed = await printedBy(`
      const { Worker } = await import('node:worker_threads');
      const thread = new Worker(${JSON.stringify(endless)}, { eval: true });
      await new Promise((resolve) => thread.once('message', resolve));
      await thread.terminate();
      console.log('done');
    `);
    expect(printed).toBe('done');
  });
});

async function trained() {
  const binned = (await twoThreads()).bin(matrix);
  return [binned, trainer!.train(binned, task)] as const;
}
