import { InvalidArgumentError } from 'commander';

/** The seed travels as a 32-bit number; a larger one would be another one. */
export function seedNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 0xffff_ffff) throw new InvalidArgumentError('must be at most 4294967295.');
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('must be a whole number.');
  return value;
}

/** Limits and counts travel as signed 32-bit numbers. */
export function numberFromOne(text: string): number {
  const value = wholeNumber(text);
  if (value < 1) throw new InvalidArgumentError('must be a whole number from 1.');
  if (value > 0x7fff_ffff) throw new InvalidArgumentError('must be at most 2147483647.');
  return value;
}
