/** Parameters for which kernels are generated. */
export interface KernelShape {
  /** Number of columns of the binned table. */
  features: number;
  /** Number of features that a tree may use. */
  usedFeatures: number;
  /** Cells of a feature in a histogram. */
  bins: number;
  /** Scores of a row: 1 for binary, the number of classes otherwise. */
  classes: number;
}

/** Typed views of the trainer's memory. Addresses are in bytes, so element i of a view is at address i × its size. */
export interface MemoryViews {
  u8: Uint8Array<SharedArrayBuffer>;
  i32: Int32Array<SharedArrayBuffer>;
  u32: Uint32Array<SharedArrayBuffer>;
  f32: Float32Array<SharedArrayBuffer>;
  f64: Float64Array<SharedArrayBuffer>;
}

export function viewsOf(buffer: SharedArrayBuffer): MemoryViews {
  return {
    u8: new Uint8Array(buffer),
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer),
  };
}

const CACHE_LINE = 64;

/** Allocates ranges of a memory one after the other, each starting on its own cache line. */
export class AddressPlan {
  #end: number;

  constructor(start = 0) {
    this.#end = start;
  }

  /** Allocates the next `bytes` bytes and returns their address. */
  take(bytes: number): number {
    const address = Math.ceil(this.#end / CACHE_LINE) * CACHE_LINE;
    this.#end = address + bytes;
    return address;
  }

  /** The first free byte. */
  get end(): number {
    return this.#end;
  }
}
