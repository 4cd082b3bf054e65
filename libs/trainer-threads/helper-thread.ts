import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  resourceLimits,
  workerData,
} from 'node:worker_threads';
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

export type ToHelper =
  /** With the memory if the helper does not have it yet. */
  | { kind: 'work'; task: Task; memory?: WebAssembly.Memory }
  /** No task follows soon: the memory is to be freed. */
  | { kind: 'free_memory' }
  /** Ends the thread. */
  | { kind: 'stop' };

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
  const { message } = receiveMessageOnPort(port) as { message: ToHelper };
  if (message.kind === 'stop') break;
  if (message.kind === 'work') workOn(message);
  else freeMemory();
  Atomics.add(ground.control, IDLE, 1);
  Atomics.notify(ground.control, IDLE);
}
port.close();

function workOn({ task, memory }: Extract<ToHelper, { kind: 'work' }>): void {
  if (memory) member.use(memory);
  try {
    const value = work(member, task);
    if (value !== undefined) port.postMessage({ value } satisfies HelperResponse);
  } catch (error) {
    if (!(error instanceof TrainerPoolAborted))
      port.postMessage({ error: error as Error } satisfies HelperResponse);
    member.barrier.abort();
  }
}

/**
 * Makes V8 collect the memory now, because it never would while the thread sleeps: a buffer larger than the thread's heap may
 * grow to counts as pressure. It is never written to, so the system never backs it with memory.
 */
function freeMemory(): void {
  member.use(undefined);
  void new ArrayBuffer(2 * resourceLimits.maxOldGenerationSizeMb! * 1024 ** 2);
}
