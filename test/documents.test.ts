import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from './support/fleets/fleet.ts';
import { settingsTable } from '#support/settings-table.ts';

const read = (file: string) => readFile(path.join(REPOSITORY, file), 'utf8');

const PATH_IN_TEXT = /`((?:deploy|evaluation|gateway|proto|services|test)\/[\w./-]*)`/g;
/** Files that the build or the reader creates. */
const MADE_LATER = /\/gen\/|^deploy\/compose\/(\.env|secrets\/)$/;

async function documents(): Promise<string[]> {
  const inDocs = await readdir(path.join(REPOSITORY, 'docs'));
  return [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...inDocs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
}

test('docs/operations.md lists every setting of every service as it is declared', async () => {
  const declared = settingsTable().trim().split('\n');
  const lines = (await read('docs/operations.md')).split('\n');
  const first = lines.indexOf(declared[0]!);
  const afterTable = lines.findIndex((line, i) => i > first && !line.startsWith('|'));
  // A difference shows the rows that differ.
  expect(lines.slice(first, afterTable)).toEqual(declared);
});

test('every link between documents leads to a file that exists', async () => {
  const broken: string[] = [];
  for (const document of await documents()) {
    for (const [, target] of (await read(document)).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      const linked = path.join(path.dirname(document), target!);
      const exists = await readdir(path.dirname(path.join(REPOSITORY, linked))).then(
        (names) => names.includes(path.basename(linked)),
        () => false,
      );
      if (!exists) broken.push(`${document}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every file and folder that a document names exists', async () => {
  const missing: string[] = [];
  for (const document of await documents()) {
    // The changelog names files of earlier versions.
    if (document === 'CHANGELOG.md') continue;
    for (const [, named] of (await read(document)).matchAll(PATH_IN_TEXT)) {
      if (MADE_LATER.test(named!)) continue;
      const exists = await stat(path.join(REPOSITORY, named!)).catch(() => undefined);
      if (!exists) missing.push(`${document}: ${named}`);
    }
  }
  expect(missing).toEqual([]);
});

test('every document in docs/ is listed in the README', async () => {
  const readme = await read('README.md');
  const unlisted = (await documents()).filter(
    (name) => name !== 'README.md' && !readme.includes(`(${name})`),
  );
  expect(unlisted).toEqual([]);
});

test('the README stays short enough to be read', async () => {
  expect((await read('README.md')).split('\n').length).toBeLessThanOrEqual(151);
});
