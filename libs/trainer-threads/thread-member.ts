import type { Member } from '#quant/learning/boosting/member.ts';
import { bindKernels, compileKernels, type Kernels } from '#quant/learning/kernels/kernels.ts';
import { viewsOf, type KernelShape, type MemoryViews } from '#quant/learning/kernels/kernel-memory.ts';
import { Barrier, CANCELLED } from './barrier.ts';

/** The data that all members share, besides the memory of the current trainings. */
export interface CommonGround {
  members: number;
  control: Int32Array<SharedArrayBuffer>;
}

/** One thread's place in a pool; member 0 is the calling thread. */
export class ThreadMember implements Member {
  readonly index: number;
  readonly count: number;
  readonly barrier: Barrier;
  readonly #ground: CommonGround;
  #memory: WebAssembly.Memory | undefined;
  /** Kept for all memories, so that the engine's optimised code is reused by the next training. */
  readonly #modules = new Map<string, WebAssembly.Module>();
  /** Bound to the memory. */
  readonly #kernels = new Map<string, Kernels>();
  #alone: ThreadMember | undefined;

  constructor(index: number, ground: CommonGround) {
    this.index = index;
    this.count = ground.members;
    this.barrier = new Barrier(ground.control, ground.members);
    this.#ground = ground;
  }

  /** Works on this memory from now on. Undefined lets go of the one before, which all members must, or it is not freed. */
  use(memory: WebAssembly.Memory | undefined): void {
    this.#memory = memory;
    this.#kernels.clear();
    this.#alone?.use(memory);
  }

  views(): MemoryViews {
    return viewsOf(this.#requireMemory().buffer);
  }

  kernels(shape: KernelShape): Kernels {
    const key = Object.values(shape).join();
    const known = this.#kernels.get(key);
    if (known) return known;
    const module = this.#modules.get(key) ?? compileKernels(shape);
    this.#modules.set(key, module);
    const kernels = bindKernels(module, this.#requireMemory());
    this.#kernels.set(key, kernels);
    return kernels;
  }

  alone(): ThreadMember {
    if (!this.#alone) {
      this.#alone = new ThreadMember(0, { ...this.#ground, members: 1 });
      this.#alone.use(this.#memory);
    }
    return this.#alone;
  }

  cancel(): void {
    Atomics.store(this.#ground.control, CANCELLED, 1);
  }

  get cancelled(): boolean {
    return Atomics.load(this.#ground.control, CANCELLED) === 1;
  }

  share(total: number): { from: number; to: number } {
    const end = (index: number) => Math.ceil((total * index) / this.count);
    return { from: end(this.index), to: end(this.index + 1) };
  }

  #requireMemory(): WebAssembly.Memory {
    if (!this.#memory) throw new Error('a member has no memory to work on');
    return this.#memory;
  }
}
