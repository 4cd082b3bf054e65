/** What kernels are generated for. */
export interface KernelShape {
  /** Columns of the binned table. */
  features: number;
  /** How many of them a tree may use. */
  usedFeatures: number;
  /** Bytes from one row's bins to the next. */
  rowStride: number;
  /** Cells of a feature in a histogram. */
  bins: number;
  /** Scores of a row: 1 for binary, the number of classes otherwise. */
  classes: number;
}

/** The trainer's memory as numbers of each kind. Addresses are bytes, so element i of a view lies at i * its size. */
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

/** Hands out stretches of a memory one after the other, each beginning on a cache line of its own. */
export class AddressPlan {
  #end: number;

  constructor(start = 0) {
    this.#end = start;
  }

  /** Address of the next `bytes` bytes. */
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
