import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocumentText, documentOf } from './document.ts';

const line = fc.stringMatching(/^[a-zA-Z#*.,-]{1,12}( [a-z]{1,8}){0,3}$/);
const markdown = fc
  .tuple(line, fc.array(fc.oneof(line, fc.constant('')), { maxLength: 6 }), line)
  .map(([title, body, last]) => ['# ' + title, ...body, last]);
const versionOf = (texts: Record<string, string>) =>
  documentOf(
    'terms',
    Object.fromEntries(
      Object.entries(texts).map(([locale, text]) => [locale, parseDocumentText(text)] as const),
    ),
  ).version;

test('line endings, trailing spaces and a byte order mark do not change the version', () => {
  const ends = fc.constantFrom('\n', '\r\n', '\r', '  \n', '\t\r\n');
  fc.assert(
    fc.property(markdown, ends, fc.constantFrom('', '\uFEFF'), (lines, end, mark) => {
      const changed = mark + lines.join(end) + end + end;
      expect(versionOf({ id: changed })).toBe(versionOf({ id: lines.join('\n') }));
    }),
  );
});

test('documents have the same version exactly when they have the same texts in the same languages', () => {
  const words = fc.constantFrom('', 'a', 'b', 'a b', '["a","b"]');
  const texts = fc.dictionary(
    fc.constantFrom('id', 'en', 'de'),
    fc.record({ title: words, text: words }, { noNullPrototype: true }),
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(texts, texts, (some, others) => {
      const areSame = isDeepStrictEqual(some, others);
      expect(documentOf('terms', some).version === documentOf('terms', others).version).toBe(areSame);
    }),
  );
});

test.each([
  ['a letter', '# Judul\n\nIsi satu!'],
  ['a space between words', '# Judul\n\nIsi  satu.'],
  ['an empty line', '# Judul\n\nIsi\n\nsatu.'],
  ['the title', '# judul\n\nIsi satu.'],
])('a difference in %s changes the version', (_name, changed) => {
  expect(versionOf({ id: changed })).not.toBe(versionOf({ id: '# Judul\n\nIsi satu.' }));
});

test('the order of the languages does not change the version, and Indonesian comes first', () => {
  const [id, en, de] = ['# A\na', '# B\nb', '# C\nc'].map(parseDocumentText) as [never, never, never];
  const documents = [documentOf('terms', { en, id, de }), documentOf('terms', { de, id, en })];
  expect(documents.map(({ texts }) => [...texts.keys()])).toEqual(Array(2).fill(['id', 'de', 'en']));
  expect(documents[0]!.version).toBe(documents[1]!.version);
  expect([...documentOf('terms', { en, de }).texts.keys()]).toEqual(['de', 'en']);
});

test('the version is the start of the SHA-256 of all texts and stays the same across releases', () => {
  expect(versionOf({ id: '# Judul\n\nIsi.', en: '# Title\n\nText.' })).toBe(
    '27b7ce8542700f5dfbc26444d2c4b3e1',
  );
});

test('the title is split off the text', () => {
  expect(parseDocumentText('#  Syarat & ketentuan \r\n\r\nSatu.\r\n\r\n## Dua\r\n')).toEqual({
    title: 'Syarat & ketentuan',
    text: 'Satu.\n\n## Dua',
  });
});

test.each([
  ['nothing', ''],
  ['a text without a title', 'Satu.\n'],
  ['a smaller heading first', '## Satu\n\nDua.'],
  ['a title alone', '# Satu\n\n'],
  ['a title without words', '# \n\nSatu.'],
])('%s is not a valid document', (_name, text) => {
  expect(() => parseDocumentText(text)).toThrow(/must begin with its title/);
});
