import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ReplacedFiles } from './replaced-files.ts';

const DAY_S = 24 * 3_600;
let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'saring-build-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const built = (...names: string[]) =>
  names.map((name) => ({ path: path.join(folder, name), contents: Buffer.from(name) }));
const build = (...names: string[]) => new ReplacedFiles(folder).by(built(...names));
/** As if everything had happened so much earlier. */
const goBack = (seconds: number) => {
  for (const file of readdirSync(folder).map((name) => path.join(folder, name))) {
    const at = statSync(file).mtimeMs / 1_000 - seconds;
    utimesSync(file, at, at);
  }
};

test('a part stays for a day after it was replaced, however long it was in use', () => {
  build('services.js', 'part-AAAAAAAA.js');
  goBack(30 * DAY_S);
  build('services.js', 'part-BBBBBBBB.js');
  const old = path.join(folder, 'part-AAAAAAAA.js');
  expect(existsSync(old)).toBe(true);
  goBack(DAY_S / 2);
  build('services.js', 'part-CCCCCCCC.js');
  expect(existsSync(old)).toBe(true);
  goBack(DAY_S);
  build('services.js', 'part-CCCCCCCC.js');
  expect(readdirSync(folder).toSorted()).toEqual(['part-CCCCCCCC.js', 'services.js']);
});

test('every file has the time at which its build began: make compares it with the sources, the next build with its own', async () => {
  const building = new ReplacedFiles(folder);
  const begun = Date.now();
  await expect.poll(() => Date.now() - begun).toBeGreaterThan(50);
  building.by(built('services.js', 'part-AAAAAAAA.js'));
  for (const name of ['services.js', 'part-AAAAAAAA.js'])
    expect(statSync(path.join(folder, name)).mtimeMs).toBeLessThanOrEqual(begun + 1);
});

test('two builds at once leave the files of the one that ends last', () => {
  const [first, second] = [new ReplacedFiles(folder), new ReplacedFiles(folder)];
  second.by(built('services.js', 'part-BBBBBBBB.js'));
  first.by(built('services.js', 'part-AAAAAAAA.js'));
  expect(readdirSync(folder).toSorted()).toEqual(['part-AAAAAAAA.js', 'part-BBBBBBBB.js', 'services.js']);
});
