import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Documents, localTextOf, loadDocuments } from './document.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'saring-documents-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes a file into the folder. A name that ends with a slash creates a folder. */
async function put(name: string, content: string | Buffer = '# Judul\n\nIsi.\n'): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
  if (!name.endsWith('/')) await writeFile(file, content);
}

test('the bundled document has Indonesian, which comes first, and English', async () => {
  const document = new Documents(await loadDocuments()).get('fair_disclaimer');
  expect([...document.texts.keys()]).toEqual(['id', 'en']);
  expect(localTextOf(document)).toMatchObject({ locale: 'id', title: 'Pernyataan Penafian' });
  expect(localTextOf(document, 'en')).toMatchObject({ locale: 'en', title: 'Disclaimer' });
});

test('an unknown document or language is not_found, with a list of those that exist', async () => {
  await put('fair_disclaimer/id.md');
  await put('terms_2/en-GB.md');
  const documents = new Documents(await loadDocuments(folder));
  const refusal = (message: RegExp) =>
    expect.objectContaining({
      code: 'not_found',
      message: expect.stringMatching(message) as string,
    }) as Error;
  expect(() => documents.get('terms')).toThrow(refusal(/fair_disclaimer, terms_2/));
  expect(() => localTextOf(documents.get('terms_2'), 'id')).toThrow(refusal(/available: en-GB/));
  expect(() => localTextOf(documents.get('fair_disclaimer'), '__proto__')).toThrow(refusal(/available: id/));
});

test('hidden files are ignored and symbolic links are followed, as in mounted cluster volumes', async () => {
  await put('..2026_01_01/id.md');
  await mkdir(path.join(folder, 'fair_disclaimer'));
  await symlink(path.join(folder, '..2026_01_01/id.md'), path.join(folder, 'fair_disclaimer/id.md'));
  await put('fair_disclaimer/.id.md.swp', 'x');
  expect((await loadDocuments(folder)).map(({ id }) => id)).toEqual(['fair_disclaimer']);
});

test.each<[string, string, string | Buffer, RegExp]>([
  [
    'a text without a title',
    'fair_disclaimer/en.md',
    'Isi.',
    /fair_disclaimer\/en\.md: must begin with its title/,
  ],
  [
    'a text that is not UTF-8',
    'fair_disclaimer/en.md',
    Buffer.from([0x23, 0x20, 0xff]),
    /en\.md: must be UTF-8/,
  ],
  [
    'a text too long to be read',
    'fair_disclaimer/en.md',
    `# A\n${'x'.repeat(100_000)}`,
    /en\.md: must have at most/,
  ],
  ['another kind of file', 'fair_disclaimer/en.txt', 'x', /en\.txt: must be named <locale>\.md/],
  ['a folder where a file should be', 'fair_disclaimer/en.md/', '', /en\.md: EISDIR/],
  ['a document without texts', 'terms/', '', /terms: must hold a file <locale>\.md/],
  ['a file where a folder should be', 'terms', 'x', /terms: ENOTDIR/],
  ['a name that no path could have', 'Terms of use/', '', /Terms of use: must be named by/],
])('%s aborts loading with the path', async (_name, name, content, message) => {
  await put('fair_disclaimer/id.md');
  await put(name, content);
  await expect(loadDocuments(folder)).rejects.toThrow(message);
});

test('loading fails without the default document', async () => {
  await put('terms/id.md');
  await expect(loadDocuments(folder)).rejects.toThrow(/must hold the folder fair_disclaimer/);
  await expect(loadDocuments(path.join(folder, 'nowhere'))).rejects.toThrow(/nowhere: ENOENT/);
});
