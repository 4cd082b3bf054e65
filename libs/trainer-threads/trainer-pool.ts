import { once } from 'node:events';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { MemoryViews } from '#quant/learning/kernels/kernel-memory.ts';
import {
  awaitChange,
  CANCELLED,
  CONTROL_WORDS,
  TrainerPoolAborted,
  IDLE,
  ROUNDS,
  TAKEN,
  TASKS,
} from './barrier.ts';
import type { HelperResponse, HelperStart } from './helper-thread.ts';
import { type CommonGround, ThreadMember } from './thread-member.ts';
import type { Task } from '#quant/learning/boosting/boost.ts';

const HELPER = new URL('./helper-thread.ts', import.meta.url);
const MAX_THREADS = 64;
const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;

interface Helper {
  thread: Worker;
  port: MessagePort;
}

/**
 * Threads that train together on one memory. The calling thread is one of them and is blocked while a task runs, so call from a
 * thread that serves no requests. Reuse a pool: starting one costs more than a small training, and the engine's optimised code
 * stays with it. A pool does not keep the process alive.
 */
export class TrainerPool {
  readonly #ground: CommonGround;
  readonly #helpers: readonly Helper[];
  readonly #self: ThreadMember;
  /** Why the pool can no longer work. */
  #lost: Error | null = null;

  /** @param threads number of working threads, including the calling one */
  static async start(threads: number): Promise<TrainerPool> {
    if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS)
      throw new RangeError(`threads must be an integer from 1 to ${MAX_THREADS}, got ${threads}`);
    const ground: CommonGround = {
      members: threads,
      memory: new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true }),
      control: new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)),
    };
    const starting = Array.from({ length: threads - 1 }, (_, i) => startHelper(i + 1, ground));
    return new TrainerPool(ground, await Promise.all(starting));
  }

  private constructor(ground: CommonGround, helpers: readonly Helper[]) {
    this.#ground = ground;
    this.#helpers = helpers;
    this.#self = new ThreadMember(0, ground);
    for (const { thread } of helpers) {
      thread.once('error', (error) => (this.#lost ??= error as Error));
      thread.once('exit', () => (this.#lost ??= new Error('the thread has ended')));
    }
  }

  get threads(): number {
    return this.#ground.members;
  }

  /** Grows the memory to at least `bytes` and keeps its contents. It never shrinks. */
  requireMemory(bytes: number): void {
    const { memory } = this.#ground;
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) memory.grow(missing);
  }

  /** Views of the current memory. Views from before it grew end too early. */
  views(): MemoryViews {
    return this.#self.views();
  }

  /**
   * Sends a task to the other threads, does this thread's share through `lead`, and returns the result of `lead` when all
   * threads are done. An error in any thread ends the task in all of them and is thrown here.
   */
  run<T>(task: Task, lead: (self: ThreadMember) => T): T {
    return this.#run(task, lead).own;
  }

  /** Like `run`, for a task in which each thread has its own result: returns all of them. */
  runApart<T>(task: Task, lead: (self: ThreadMember) => T): T[] {
    const { own, elsewhere } = this.#run(task, lead);
    return [own, ...(elsewhere as T[])];
  }

  #run<T>(task: Task, lead: (self: ThreadMember) => T): { own: T; elsewhere: unknown[] } {
    if (this.#lost) throw new TrainerPoolAborted('the trainer has lost a thread', { cause: this.#lost });
    const { control } = this.#ground;
    this.#self.barrier.reset();
    for (const word of [CANCELLED, IDLE, ROUNDS, TAKEN]) Atomics.store(control, word, 0);
    this.#wake(task);
    const outcome = attempt(() => lead(this.#self));
    if ('error' in outcome) this.#self.barrier.abort();
    this.#awaitHelpers();
    const responses = this.#responsesOfHelpers();
    if ('value' in outcome && !this.#self.barrier.aborted) {
      const elsewhere = responses.flatMap((response) => ('value' in response ? [response.value] : []));
      return { own: outcome.value, elsewhere };
    }
    const own = 'error' in outcome ? outcome.error : undefined;
    if (own && !(own instanceof TrainerPoolAborted)) throw own;
    const failed = responses.find((response) => 'error' in response);
    throw failed?.error ?? new TrainerPoolAborted('a thread of the trainer failed', { cause: own });
  }

  /** Stops the other threads. */
  async stop(): Promise<void> {
    const ended = this.#helpers.map(async ({ thread }) => {
      if (thread.threadId === -1) return;
      thread.ref();
      await once(thread, 'exit');
    });
    this.#wake(null);
    await Promise.all(ended);
  }

  #wake(task: Task | null): void {
    for (const { port } of this.#helpers) port.postMessage(task);
    Atomics.add(this.#ground.control, TASKS, 1);
    Atomics.notify(this.#ground.control, TASKS);
  }

  #awaitHelpers(): void {
    const { control } = this.#ground;
    try {
      for (let idle = 0; idle < this.#helpers.length; idle = Atomics.load(control, IDLE))
        awaitChange(control, IDLE, idle);
    } catch (error) {
      this.#lost = error as Error;
      throw error;
    }
  }

  #responsesOfHelpers(): HelperResponse[] {
    return this.#helpers
      .map(({ port }): { message: HelperResponse } | undefined => receiveMessageOnPort(port))
      .flatMap((received) => (received ? [received.message] : []));
  }
}

function attempt<T>(action: () => T): { value: T } | { error: Error } {
  try {
    return { value: action() };
  } catch (error) {
    return { error: error as Error };
  }
}

async function startHelper(index: number, ground: CommonGround): Promise<Helper> {
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(HELPER, {
    name: `trainer ${index}`,
    workerData: { index, ground, port: port2 } satisfies HelperStart,
    transferList: [port2],
    // It works on the shared memory alone.
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  });
  await once(thread, 'message');
  thread.unref();
  return { thread, port: port1 };
}
