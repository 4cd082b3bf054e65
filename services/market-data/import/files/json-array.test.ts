import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlankLimit } from './blank-limit.ts';
import { firstObject, jsonArrayBlocks } from './json-array.ts';

async function objectsOf(text: string, cuts: number[] = []): Promise<[line: number, object: unknown][]> {
  const bytes = Buffer.from(text);
  const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  async function* pieces() {
    for (const [i, end] of at.slice(1).entries()) yield bytes.subarray(at[i], end);
  }
  const objects: [number, unknown][] = [];
  for await (const block of jsonArrayBlocks('a.json', pieces(), new BlankLimit())) {
    const lines = block.text.toString().split('\n');
    expect(lines).toHaveLength(block.lineCount);
    lines.forEach((line, i) => objects.push([block.firstLine + i, JSON.parse(line)]));
  }
  return objects;
}

test('every object of an array arrives once, whole and numbered, however it is formatted and chunked', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ']', ',', '\n', 'é'), maxLength: 6 });
  // Node 24.21 parses the key of `{"":null,"\\n":null}` as a backslash once it has parsed an object with such a key.
  const key = text.filter((name) => name !== '\\');
  const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text, { maxLength: 2 }));
  const objects = fc.array(fc.dictionary(key, value, { maxKeys: 3 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(objects, fc.constantFrom(0, 2), fc.array(fc.nat(80)), async (written, indent, cuts) => {
      const read = await objectsOf(JSON.stringify(written, null, indent), cuts);
      expect(JSON.stringify(read)).toBe(JSON.stringify(written.map((object, i) => [i + 1, object])));
    }),
  );
});

test.each([
  ['a number in the array', '[{"a":1}, 2]', /^a\.json: object 2 of the array is no object$/],
  ['something after the array', '[{"a":1}] {', /object 2 of the array is no object/],
  ['an object that is no array', '{"rows":[]}', /object 1 of the array is no object/],
  ['an array without end', '[{"a":1}', /object 2 .* the array does not end/],
  ['an object without end', '[{"a":1},{"b":', /object 2 .* the array does not end/],
  ['an endless object', `[{"a":"${'x'.repeat(70_000)}"`, /object 1 of the array is longer than 65536 bytes/],
])('%s is refused with the file and object number', async (_, text, message) => {
  await expect(objectsOf(text)).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringMatching(message) as string,
  });
});

test('the first object of an array is read from the start of the file', () => {
  expect(firstObject(Buffer.from(' [ {"a": "}"}, {'))).toBe('{"a": "}"}');
  for (const text of ['[]', '[1]', '{"a":1}', '[{"a":', '']) {
    expect(firstObject(Buffer.from(text)), text).toBeUndefined();
  }
});

test('endless white space between objects is refused', async () => {
  let pieces = 0;
  async function* endless() {
    yield Buffer.from('[{"a":1},');
    for (; pieces < 1_000; pieces++) yield Buffer.alloc(256 * 1024, ' ');
  }
  const blocks = jsonArrayBlocks('a.json', endless(), new BlankLimit());
  expect((await blocks.next()).value).toMatchObject({ lineCount: 1, emptyCount: 0 });
  await expect(blocks.next()).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringMatching(/^a\.json is not market data/) as string,
  });
  expect(pieces).toBeLessThan(20);
});
