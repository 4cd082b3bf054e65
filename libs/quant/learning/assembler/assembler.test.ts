import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signedLeb, unsignedLeb } from './function-code.ts';
import { wasmFunction, wasmModule } from './module.ts';

describe('variable-length integers', () => {
  const decode = (bytes: readonly number[]) =>
    bytes.reduce((value, byte, i) => value + BigInt(byte & 0x7f) * 2n ** BigInt(7 * i), 0n);

  test('unsigned numbers decode to their value and take the fewest bytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
        const bytes = unsignedLeb(value);
        expect(decode(bytes)).toBe(BigInt(value));
        expect(bytes.map((byte) => byte >> 7)).toEqual([...Array<number>(bytes.length - 1).fill(1), 0]);
        expect(bytes.length).toBe(Math.max(1, Math.ceil(Math.log2(value + 1) / 7)));
      }),
    );
  });

  test('signed numbers decode to their value, with the sign in the top bit', () => {
    fc.assert(
      fc.property(fc.integer(), (value) => {
        const bytes = signedLeb(value);
        expect(BigInt.asIntN(7 * bytes.length, decode(bytes))).toBe(BigInt(value));
      }),
    );
  });
});

describe('a module', () => {
  function instance(...functions: Parameters<typeof wasmModule>[0]) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasmModule(functions)), {
      env: { memory },
    });
    return { memory, exports: exports as Record<string, (...args: number[]) => number> };
  }

  const sumOf = wasmFunction('sum', ['i32', 'i32'], ({ code, i32 }, from, to) => {
    const sum = code.variable(i32.constant(0));
    code.loop(from, to, 3, (i) => code.assign(sum, i32.add(sum, i)));
    return sum;
  });

  test('loops from a start to an end, and not at all when the range is empty', () => {
    const { exports } = instance(sumOf);
    expect(exports.sum!(1, 10)).toBe(1 + 4 + 7);
    expect(exports.sum!(5, 5)).toBe(0);
    expect(exports.sum!(6, 5)).toBe(0);
  });

  test('exports its functions by name and uses the given memory', () => {
    const store = wasmFunction('store', ['i32', 'i32'], ({ i32 }, address, value) => {
      i32.store(address, i32.mul(value, 2), 4);
    });
    const { memory, exports } = instance(sumOf, store);
    expect(Object.keys(exports)).toEqual(['sum', 'store']);
    exports.store!(8, 21);
    expect(new Int32Array(memory.buffer)[3]).toBe(42);
  });
});
