import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CrewAborted, IDLE, TASKS } from './barrier.ts';
import { type CommonGround, ThreadMember } from './thread-member.ts';
import { type Task, work } from '#quant/learning/boosting/boost.ts';

/** What a helper is started with. */
export interface HelperStart {
  index: number;
  ground: CommonGround;
  /** Tasks come in, answers go out. */
  port: MessagePort;
}

/** What a helper has to say of a task: what its share gave, where nobody else has it, or why there is nothing. */
export type Answer = { value: unknown } | { error: Error };

const { index, ground, port } = workerData as HelperStart;
const member = new ThreadMember(index, ground);
parentPort!.postMessage('ready');

/**
 * The thread sleeps in Atomics.wait between tasks and not in its event loop: it wakes in microseconds. The end of the
 * process or of the thread that started it ends this wait too.
 */
for (let seen = 0; ; seen++) {
  while (Atomics.load(ground.control, TASKS) === seen) Atomics.wait(ground.control, TASKS, seen);
  const message = receiveMessageOnPort(port) as { message: Task | null };
  if (message.message === null) break;
  try {
    const value = work(member, message.message);
    if (value !== undefined) port.postMessage({ value } satisfies Answer);
  } catch (error) {
    if (!(error instanceof CrewAborted)) port.postMessage({ error: error as Error } satisfies Answer);
    member.barrier.abort();
  }
  Atomics.add(ground.control, IDLE, 1);
  Atomics.notify(ground.control, IDLE);
}
port.close();
