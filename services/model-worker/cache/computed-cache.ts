import { digestOfCode, type CodePart } from './code-digest.ts';
import { FileCache } from './file-cache.ts';

/**
 * What follows from named inputs and from one part of the code alone, in files that processes share. A change of that code gives
 * everything other names.
 */
export class ComputedCache {
  readonly #files: FileCache;
  readonly #part: CodePart;
  #code: Promise<string> | undefined;

  constructor(folder: string, part: CodePart, report: (problem: string) => void) {
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
    this.#code ??= digestOfCode(this.#part);
    return `${this.#part} ${await this.#code} ${name}`;
  }
}
