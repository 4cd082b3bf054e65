import { createHash } from 'node:crypto';

type Numbers = readonly (Uint8Array | Float32Array | Float64Array)[];

/** SHA-256, in hex, over the very numbers, so that another way to compute a feature is another digest. */
export function digestOf(numbers: Numbers): string {
  const hash = createHash('sha256');
  for (const bytes of numbers) hash.update(bytes);
  return hash.digest('hex');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
