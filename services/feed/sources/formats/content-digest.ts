import { createHash } from 'node:crypto';

/**
 * SHA-256 of rows regardless of their order. The caller leaves out dates, so that a day repeated under another date has the same
 * digest. Empty without rows, because every day without rows is like any other.
 */
export function contentDigest(rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map((row) => JSON.stringify(row)).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
