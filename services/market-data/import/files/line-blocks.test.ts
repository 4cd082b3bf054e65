import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlankLimit } from './blank-limit.ts';
import { lineBlocks } from './line-blocks.ts';

async function linesOf(pieces: Buffer[]): Promise<[line: number, text: string][]> {
  const lines: [number, string][] = [];
  async function* bytes() {
    yield* pieces;
  }
  for await (const block of lineBlocks('a.csv', bytes(), new BlankLimit())) {
    const { firstLine, lineCount, emptyCount } = block;
    const found = block.text.toString('latin1').split('\n');
    expect(found).toHaveLength(lineCount);
    expect(found.filter((line) => line === '')).toHaveLength(emptyCount);
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

async function countOf(pieces: Iterable<Buffer>): Promise<number> {
  async function* bytes() {
    yield* pieces;
  }
  let count = 0;
  for await (const { lineCount } of lineBlocks('a.csv', bytes(), new BlankLimit())) count += lineCount;
  return count;
}

test.each([
  ['line feeds', Buffer.alloc(256 * 1024, '\n')],
  ['line ends of Windows', Buffer.alloc(256 * 1024, '\r\n')],
])('a file of %s is refused before many are read', async (_, piece) => {
  let pieces = 0;
  function* endless() {
    yield Buffer.from('date,close\n2024-03-04,100\n');
    for (; pieces < 1_000; pieces++) yield piece;
  }
  await expect(countOf(endless())).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringMatching(/^a\.csv is not market data: .* by 1 MiB\.$/) as string,
  });
  expect(pieces).toBeLessThan(20);
});

test('an empty line after every line is allowed, however many there are', async () => {
  const piece = Buffer.from('2024-03-04,100\n\n'.repeat(10_000));
  expect(await countOf(Array.from({ length: 200 }, () => piece))).toBe(4_000_000);
});
