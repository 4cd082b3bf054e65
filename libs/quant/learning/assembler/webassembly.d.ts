/** The parts of the WebAssembly JavaScript interface that this project uses. None of its type libraries declare them. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }

  class Memory {
    constructor(size: { initial: number; maximum: number; shared: true });
    /** A different object after the memory has grown. */
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
