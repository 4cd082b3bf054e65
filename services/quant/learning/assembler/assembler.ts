import type { FunctionCode } from './function-code.ts';
import { F32 } from './f32.ts';
import { F32x4 } from './f32x4.ts';
import { F64x2 } from './f64x2.ts';
import { I32 } from './i32.ts';
import { I32x4 } from './i32x4.ts';
import { I64 } from './i64.ts';
import { U8x16 } from './u8x16.ts';

/** What a function is written with: its statements, and the instructions by the type they work on. */
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

export function assemblerFor(code: FunctionCode): Assembler {
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
