import { bindKernels, compileKernels, type Kernels } from '../kernels/kernels.ts';
import type { KernelShape } from '../kernels/kernel-shape.ts';
import { viewsOf, type MemoryViews } from '../kernels/memory-views.ts';
import { Barrier, CANCELLED } from './barrier.ts';

/** What all members share. */
export interface CommonGround {
  members: number;
  memory: WebAssembly.Memory;
  control: Int32Array<SharedArrayBuffer>;
}

/** One thread's place in a crew: what a task needs to do its share. */
export class Member {
  /** 0 is the thread that called. */
  readonly index: number;
  readonly count: number;
  readonly barrier: Barrier;
  readonly #ground: CommonGround;
  readonly #kernels = new Map<string, Kernels>();

  constructor(index: number, ground: CommonGround) {
    this.index = index;
    this.count = ground.members;
    this.barrier = new Barrier(ground.control, ground.members);
    this.#ground = ground;
  }

  /** The memory as it is now: views from before it grew end early. */
  views(): MemoryViews {
    return viewsOf(this.#ground.memory.buffer);
  }

  /** Kept, so that what the engine has optimised stays so from one training to the next. */
  kernels(shape: KernelShape): Kernels {
    const key = Object.values(shape).join();
    const known = this.#kernels.get(key);
    if (known) return known;
    const kernels = bindKernels(compileKernels(shape), this.#ground.memory);
    this.#kernels.set(key, kernels);
    return kernels;
  }

  /** Asks everyone to give up. They all see it behind the next barrier, and therefore at the same place. */
  cancel(): void {
    Atomics.store(this.#ground.control, CANCELLED, 1);
  }

  get cancelled(): boolean {
    return Atomics.load(this.#ground.control, CANCELLED) === 1;
  }

  /** This member's part of `total` things, as even as can be; member 0 has one whenever anyone has. */
  share(total: number): { from: number; to: number } {
    const end = (index: number) => Math.ceil((total * index) / this.count);
    return { from: end(this.index), to: end(this.index + 1) };
  }
}
