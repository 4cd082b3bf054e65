import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { CrewAborted, IDLE, TASKS } from './barrier.ts';
import { type CommonGround, ThreadMember } from './thread-member.ts';
import { type Task, work } from '#quant/learning/boosting/boost.ts';

/** What a helper is started with. */
export interface HelperStart {
  index: number;
  ground: CommonGround;
  /** Tasks come in, errors go out. */
  port: MessagePort;
}

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
    work(member, message.message);
  } catch (error) {
    if (!(error instanceof CrewAborted)) port.postMessage(error);
    member.barrier.abort();
  }
  Atomics.add(ground.control, IDLE, 1);
  Atomics.notify(ground.control, IDLE);
}
port.close();
