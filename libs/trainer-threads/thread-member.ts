import type { Member, SharedDecision } from '#quant/learning/kernels/member.ts';
import { bindKernels, compileKernels, type Kernels } from '#quant/learning/kernels/kernels.ts';
import { viewsOf, type KernelShape, type MemoryViews } from '#quant/learning/kernels/kernel-memory.ts';
import { awaitChange, Barrier, CANCELLED, ROUNDS, TAKEN } from './barrier.ts';

/** The data that all members share. */
export interface CommonGround {
  members: number;
  memory: WebAssembly.Memory;
  control: Int32Array<SharedArrayBuffer>;
}

/** One thread's place in a pool; member 0 is the calling thread. */
export class ThreadMember implements Member {
  readonly index: number;
  readonly count: number;
  readonly barrier: Barrier;
  readonly rounds: SharedDecision;
  readonly #ground: CommonGround;
  readonly #kernels = new Map<string, Kernels>();
  #alone: ThreadMember | undefined;

  constructor(index: number, ground: CommonGround) {
    this.index = index;
    this.count = ground.members;
    this.barrier = new Barrier(ground.control, ground.members);
    this.rounds = new DecidedRounds(ground.control);
    this.#ground = ground;
  }

  views(): MemoryViews {
    return viewsOf(this.#ground.memory.buffer);
  }

  /** Kernels are cached, so that the engine's optimised code is reused by the next training. */
  kernels(shape: KernelShape): Kernels {
    const key = Object.values(shape).join();
    const known = this.#kernels.get(key);
    if (known) return known;
    const kernels = bindKernels(compileKernels(shape), this.#ground.memory);
    this.#kernels.set(key, kernels);
    return kernels;
  }

  alone(): ThreadMember {
    return (this.#alone ??= new ThreadMember(0, { ...this.#ground, members: 1 }));
  }

  cancel(): void {
    Atomics.store(this.#ground.control, CANCELLED, 1);
  }

  get cancelled(): boolean {
    return Atomics.load(this.#ground.control, CANCELLED) === 1;
  }

  take(): number {
    return Atomics.add(this.#ground.control, TAKEN, 1);
  }

  share(total: number): { from: number; to: number } {
    const end = (index: number) => Math.ceil((total * index) / this.count);
    return { from: end(this.index), to: end(this.index + 1) };
  }
}

/** The word holds one more than the number, and 0 while that is undecided. */
class DecidedRounds implements SharedDecision {
  readonly #control: Int32Array<SharedArrayBuffer>;

  constructor(control: Int32Array<SharedArrayBuffer>) {
    this.#control = control;
  }

  decide(rounds: number): void {
    Atomics.store(this.#control, ROUNDS, rounds + 1);
    Atomics.notify(this.#control, ROUNDS);
  }

  get known(): number | undefined {
    const word = Atomics.load(this.#control, ROUNDS);
    return word === 0 ? undefined : word - 1;
  }

  wait(): number {
    awaitChange(this.#control, ROUNDS, 0);
    return this.known!;
  }
}
