import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { noiseMatrix } from '#quant/learning/boosting/planted-fixture.ts';
import { TrainerWhenNeeded } from './serve-thread.ts';

const trainer = new TrainerWhenNeeded(2);
afterEach(() => trainer.stop());

test('a trainer has threads only from its first use until it is stopped, and works again afterwards', async () => {
  const ends: Promise<unknown>[] = [];
  const onWorker = (thread: Worker) => void ends.push(once(thread, 'exit'));
  process.on('worker', onWorker);
  await trainer.stop();
  expect(ends).toEqual([]);
  const cutsNow = async () => (await trainer.get()).bin(noiseMatrix(500, 3, 1)).cuts;
  const cuts = await cutsNow();
  expect(await trainer.get()).toBe(await trainer.get());
  await trainer.stop();
  await Promise.all(ends);
  expect(await cutsNow()).toEqual(cuts);
  expect(ends).toHaveLength(2);
  process.off('worker', onWorker);
});
