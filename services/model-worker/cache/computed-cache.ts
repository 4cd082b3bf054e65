import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileCache } from './file-cache.ts';

/** The folders of the code that computes markets in memory, and of the code that learns models. */
const CODE = {
  markets: ['libs/quant', 'libs/market-reader', 'services/model-worker/market'],
  models: ['libs/quant', 'libs/models', 'libs/trainer-threads'],
};

/**
 * What follows from named inputs and from one part of the code alone, in files that processes share. A change of that code gives
 * everything other names.
 */
export class ComputedCache {
  readonly #files: FileCache;
  readonly #part: keyof typeof CODE;
  #code: Promise<string> | undefined;

  constructor(folder: string, part: keyof typeof CODE, report: (problem: string) => void) {
    this.#files = new FileCache(folder, report);
    this.#part = part;
  }

  /** A name identifies a value, so the value found under it has the type that was kept under it. */
  async find<T>(name: string): Promise<T | undefined> {
    return (await this.#files.find(await this.#nameOf(name))) as T | undefined;
  }

  async keep(name: string, value: unknown): Promise<void> {
    await this.#files.keep(await this.#nameOf(name), value);
  }

  async #nameOf(name: string): Promise<string> {
    this.#code ??= digestOf(CODE[this.#part]);
    return `${this.#part} ${await this.#code} ${name}`;
  }
}

async function digestOf(folders: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const folder of folders) {
    const at = fileURLToPath(new URL(`../../../${folder}`, import.meta.url));
    const files = await readdir(at, { recursive: true });
    const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).toSorted();
    for (const name of sources) digest.update(name).update(await readFile(path.join(at, name)));
  }
  return digest.digest('hex');
}
