import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPart, sha256Of, writePart } from './part-file.ts';

test('a part restores its lines, counts them and reports the SHA-256 of its file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'saring-part-'));
  const lines = fc.array(fc.string({ unit: 'binary' }).map((line) => line.replaceAll('\n', '')));
  await fc.assert(
    fc.asyncProperty(lines, async (wanted) => {
      const file = path.join(folder, 'sub', 'part.zst');
      const whole = Buffer.from(wanted.map((line) => `${line}\n`).join(''));
      const { rows, sha256 } = await writePart(file, Readable.from(whole.length > 0 ? [whole] : []));
      expect(rows).toBe(wanted.length);
      expect(sha256).toBe(await sha256Of(file));
      expect(await text(readPart(file))).toBe(whole.toString());
    }),
    { numRuns: 30 },
  );
  rmSync(folder, { recursive: true });
});
