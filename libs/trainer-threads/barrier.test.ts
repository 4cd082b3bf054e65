import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const WAITER = `(async () => {
  const { awaitChange } = await import('${new URL('./barrier.ts', import.meta.url).href}');
  const { parentPort, workerData } = await import('node:worker_threads');
  parentPort.postMessage('waits');
  awaitChange(workerData, 0, 1);
  parentPort.postMessage('goes on');
})()`;

test('a member woken by a late notification of the previous change keeps waiting', async () => {
  const control = new Int32Array(new SharedArrayBuffer(4)).fill(1);
  const heard: unknown[] = [];
  const waiter = new Worker(WAITER, { eval: true, workerData: control });
  waiter.on('message', (message) => heard.push(message));
  await once(waiter, 'message');
  let woken = 0;
  for (let i = 0; i < 20; i++) {
    woken += Atomics.notify(control, 0);
    await sleep(5);
  }
  expect(woken).toBeGreaterThan(1);
  expect(heard).toEqual(['waits']);
  const ended = once(waiter, 'exit');
  Atomics.store(control, 0, 2);
  Atomics.notify(control, 0);
  await ended;
  expect(heard).toEqual(['waits', 'goes on']);
});
