import { unsignedLeb } from './leb128.ts';

/**
 * A load or store instruction: opcode, alignment and constant offset. The alignment is a hint that changes no
 * result; 0 promises nothing, and none of our targets is slower for it.
 */
export function memoryAccess(opcode: readonly number[], offset: number): number[] {
  return [...opcode, 0, ...unsignedLeb(offset)];
}

/** An instruction of the vector group: its prefix and number. */
export function vector(number: number): number[] {
  return [0xfd, ...unsignedLeb(number)];
}
