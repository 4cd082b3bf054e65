import { createHash } from 'node:crypto';

/**
 * SHA-256, in hex, over what was asked for and the very numbers learnt from and scored, so that another way to compute a
 * feature is another fingerprint too.
 */
export function fingerprint(
  inputs: Record<string, unknown>,
  numbers: readonly (Uint8Array | Float32Array | Float64Array)[],
): string {
  const hash = createHash('sha256').update(canonicalJson(inputs));
  for (const bytes of numbers) hash.update(bytes);
  return hash.digest('hex');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** JSON with the members of every object in order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
