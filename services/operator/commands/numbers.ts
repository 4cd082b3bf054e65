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
