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
