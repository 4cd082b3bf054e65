import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineBlocks } from './line-blocks.ts';

async function linesOf(pieces: Buffer[]): Promise<[line: number, text: string][]> {
  const lines: [number, string][] = [];
  async function* bytes() {
    yield* pieces;
  }
  for await (const { firstLine, lineCount, text } of lineBlocks('a.csv', bytes())) {
    const found = text.toString('latin1').split('\n');
    expect(found).toHaveLength(lineCount);
    found.forEach((line, i) => lines.push([firstLine + i, line]));
  }
  return lines;
}

test('every line arrives once, whole and numbered, however the file is chunked', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ',', '\xE9', '"', '\r'), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.boolean(), fc.array(fc.nat(40)), async (lines, hasLastEnd, cuts) => {
      const text = lines.join('\n') + (hasLastEnd ? '\n' : '');
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, i) => Buffer.from(text.slice(at[i], end), 'latin1'));
      const wanted = text
        .replace(/\n$/, '')
        .split('\n')
        .map((content, i) => [i + 1, content.replace(/\r$/, '')]);
      const isCut = (entries: unknown[][]) => entries.filter(([, content]) => content !== '');
      expect(isCut(await linesOf(pieces))).toEqual(isCut(wanted));
    }),
  );
});

test('an endless line is refused with file and line number before it fills the memory', async () => {
  const endless = Array.from({ length: 5 }, () => Buffer.alloc(30_000, 'x'));
  await expect(linesOf([Buffer.from('one\ntwo\n'), ...endless])).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringMatching(/^a\.csv:3: /) as string,
  });
});
