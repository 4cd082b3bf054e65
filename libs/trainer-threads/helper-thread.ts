import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { TrainerPoolAborted, IDLE, TASKS } from './barrier.ts';
import { type CommonGround, ThreadMember } from './thread-member.ts';
import { type Task, work } from '#quant/learning/boosting/boost.ts';

/** The data that a helper is started with. */
export interface HelperStart {
  index: number;
  ground: CommonGround;
  /** Receives tasks and sends answers. */
  port: MessagePort;
}

/** A helper's answer to a task: its result, if no other thread has it, or its error. */
export type HelperResponse = { value: unknown } | { error: Error };

const { index, ground, port } = workerData as HelperStart;
const member = new ThreadMember(index, ground);
parentPort!.postMessage('ready');

/**
 * Between tasks the thread sleeps in Atomics.wait instead of its event loop, so that it wakes within microseconds. The wait
 * also ends when the process or the starting thread ends.
 */
for (let seen = 0; ; seen++) {
  while (Atomics.load(ground.control, TASKS) === seen) Atomics.wait(ground.control, TASKS, seen);
  const message = receiveMessageOnPort(port) as { message: Task | null };
  if (message.message === null) break;
  try {
    const value = work(member, message.message);
    if (value !== undefined) port.postMessage({ value } satisfies HelperResponse);
  } catch (error) {
    if (!(error instanceof TrainerPoolAborted))
      port.postMessage({ error: error as Error } satisfies HelperResponse);
    member.barrier.abort();
  }
  Atomics.add(ground.control, IDLE, 1);
  Atomics.notify(ground.control, IDLE);
}
port.close();
