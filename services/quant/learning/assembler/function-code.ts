import { unsignedLeb } from './leb128.ts';
import { i32Constant, localValue, TYPE_CODES, type Value, type ValueType, type Variable } from './value.ts';

const END = 0x0b;
const IF = 0x04;
const LOOP = 0x03;
const NO_RESULT = 0x40;
const BRANCH_IF = 0x0d;
const LOCAL_SET = 0x21;
const I32_ADD = 0x6a;
const I32_LESS_UNSIGNED = 0x49;

/**
 * The body of one WebAssembly function while it is being written.
 *
 * Every computed value gets a local of its own, so code reads like ordinary statements and a value can be used
 * twice. The engine's compiler works on values and not on locals: they cost nothing once it has run.
 */
export class FunctionCode {
  readonly #parameterCount: number;
  readonly #locals: ValueType[] = [];
  readonly #bytes: number[] = [];

  constructor(parameterCount: number) {
    this.#parameterCount = parameterCount;
  }

  /** Runs an instruction on its operands and keeps the result. */
  compute<T extends ValueType>(
    type: T,
    instruction: readonly number[],
    ...operands: readonly Value[]
  ): Value<T> {
    this.perform(instruction, ...operands);
    return this.#keep(type);
  }

  /** Runs an instruction that leaves no result. */
  perform(instruction: readonly number[], ...operands: readonly Value[]): void {
    for (const operand of operands) this.#bytes.push(...operand.push);
    this.#bytes.push(...instruction);
  }

  variable<T extends ValueType>(initial: Value<T>): Variable<T> {
    this.#bytes.push(...initial.push);
    return this.#keep(initial.type);
  }

  assign<T extends ValueType>(variable: Variable<T>, value: Value<T>): void {
    this.#bytes.push(...value.push, LOCAL_SET, ...unsignedLeb(variable.local));
  }

  /** Runs `body` for i = from, from + step, ... while i < to, unsigned; `from` and `to` must be steps apart. */
  loop(from: Value<'i32'>, to: Value<'i32'>, step: number, body: (i: Value<'i32'>) => void): void {
    const i = this.variable(from);
    this.perform([I32_LESS_UNSIGNED, IF, NO_RESULT, LOOP, NO_RESULT], i, to);
    body(i);
    this.assign(i, this.compute('i32', [I32_ADD], i, i32Constant(step)));
    this.perform([I32_LESS_UNSIGNED, BRANCH_IF, 0, END, END], i, to);
  }

  /** The function as the code section holds it; `result` is what it returns. */
  encode(result: Value | null): number[] {
    const locals = this.#locals.flatMap((type) => [1, TYPE_CODES[type]]);
    const body = [
      ...unsignedLeb(this.#locals.length),
      ...locals,
      ...this.#bytes,
      ...(result?.push ?? []),
      END,
    ];
    return [...unsignedLeb(body.length), ...body];
  }

  #keep<T extends ValueType>(type: T): Variable<T> {
    const value = localValue(type, this.#parameterCount + this.#locals.length);
    this.#locals.push(type);
    this.#bytes.push(LOCAL_SET, ...unsignedLeb(value.local));
    return value;
  }
}
