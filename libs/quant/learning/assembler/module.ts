import {
  FunctionCode,
  unsignedLeb,
  localValue,
  TYPE_CODES,
  type Value,
  type ValueType,
} from './function-code.ts';
import { F32, I32, I64 } from './scalar-instructions.ts';
import { F32x4, F64x2, I32x4, U8x16 } from './vector-instructions.ts';

/** Tools for writing a function: its statements, and the instructions grouped by operand type. */
export interface Assembler {
  code: FunctionCode;
  i32: I32;
  i64: I64;
  f32: F32;
  i32x4: I32x4;
  u8x16: U8x16;
  f32x4: F32x4;
  f64x2: F64x2;
}

function assemblerFor(code: FunctionCode): Assembler {
  return {
    code,
    i32: new I32(code),
    i64: new I64(code),
    f32: new F32(code),
    i32x4: new I32x4(code),
    u8x16: new U8x16(code),
    f32x4: new F32x4(code),
    f64x2: new F64x2(code),
  };
}

/** A function that a module exports by name. */
export interface WasmFunction {
  name: string;
  parameters: readonly ValueType[];
  result: ValueType | null;
  code: readonly number[];
}

type Arguments<P extends readonly ValueType[]> = { [K in keyof P]: Value<P[K]> };

/** Builds a function. `body` receives the assembler and the parameters and returns the function's result. */
export function wasmFunction<const P extends readonly ValueType[]>(
  name: string,
  parameters: P,
  body: (asm: Assembler, ...args: Arguments<P>) => Value | void,
): WasmFunction {
  const code = new FunctionCode(parameters.length);
  const args = parameters.map((type, i) => localValue(type, i)) as unknown as Arguments<P>;
  const result = body(assemblerFor(code), ...args) ?? null;
  return { name, parameters, result: result?.type ?? null, code: code.encode(result) };
}

/** The largest memory that 32-bit addresses allow, in pages of 64 KiB. */
const MAX_PAGES = 65_536;
const SHARED_WITH_MAXIMUM = 0x03;

/** Encodes a module (core specification, 5.5) of functions over one shared memory, imported as `env.memory`. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    ...section(1, functions.map(signature)),
    ...section(2, [
      [...name('env'), ...name('memory'), 0x02, SHARED_WITH_MAXIMUM, 1, ...unsignedLeb(MAX_PAGES)],
    ]),
    ...section(
      3,
      functions.map((_, i) => unsignedLeb(i)),
    ),
    ...section(
      7,
      functions.map((fn, i) => [...name(fn.name), 0x00, ...unsignedLeb(i)]),
    ),
    ...section(
      10,
      functions.map(({ code }) => code),
    ),
  ]);
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  const content = [...unsignedLeb(entries.length), ...entries.flat()];
  return [id, ...unsignedLeb(content.length), ...content];
}

function signature({ parameters, result }: WasmFunction): number[] {
  const results = result === null ? [0] : [1, TYPE_CODES[result]];
  return [0x60, parameters.length, ...parameters.map((type) => TYPE_CODES[type]), ...results];
}

function name(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...unsignedLeb(bytes.length), ...bytes];
}
