import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders of the code that computes markets in memory, and of the code that trains models. */
const CODE = {
  markets: ['libs/quant', 'libs/market-reader', 'services/model-worker/market'],
  models: ['libs/quant', 'libs/models', 'libs/trainer-threads'],
};

export type CodePart = keyof typeof CODE;

/** What a bundle was made of, because its sources may have changed since. Code that is not bundled has none. */
declare const BUNDLED_CODE: Record<CodePart, string> | undefined;

/** Identifies the code of a part that this process runs. */
export function digestOfCode(part: CodePart): Promise<string> {
  return typeof BUNDLED_CODE === 'undefined' ? digestOfSources(part) : Promise.resolve(BUNDLED_CODE[part]);
}

export async function digestOfSources(part: CodePart): Promise<string> {
  const digest = createHash('sha256');
  for (const folder of CODE[part]) {
    const at = fileURLToPath(new URL(`../../../${folder}`, import.meta.url));
    const files = await readdir(at, { recursive: true });
    const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).toSorted();
    for (const name of sources) digest.update(name).update(await readFile(path.join(at, name)));
  }
  return digest.digest('hex');
}
