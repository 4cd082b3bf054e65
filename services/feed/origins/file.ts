import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '#foundation/clock.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';
import { placeOfDay } from './dated-place.ts';
import type { Origin, Received } from './origin.ts';
import { tooLarge } from './unpacked.ts';

/** A file that changed within this time may still be written. */
export const SETTLED_AFTER_MS = 5_000;

interface FileOptions {
  /** With placeholders for the day. */
  path: string;
  maxBytes: number;
  clock: Clock;
}

/** Files that something else writes, one a day, at a path that contains the day. */
export class FileOrigin implements Origin {
  readonly description: string;
  readonly #options: FileOptions;

  constructor(options: FileOptions) {
    this.description = options.path;
    this.#options = options;
  }

  async get(day: string, signal: AbortSignal): Promise<Received> {
    const { maxBytes, clock } = this.#options;
    const path = placeOfDay(this.#options.path, day);
    const before = await stateOf(path);
    if (clock().getTime() - before.mtimeMs < SETTLED_AFTER_MS)
      throw new SourceFailure('not_published', `${path} has just changed and may still be written.`);
    if (before.size === 0) throw new SourceFailure('not_published', `${path} is empty.`);
    if (before.size > maxBytes) throw tooLarge(path, maxBytes);
    const bytes = await readFile(path, { signal });
    const after = await stateOf(path);
    if (after.mtimeMs !== before.mtimeMs || bytes.length !== before.size)
      throw new SourceFailure('not_published', `${path} changed while it was read.`);
    return { name: basename(path), bytes };
  }
}

async function stateOf(path: string) {
  try {
    const state = await stat(path);
    if (state.isFile()) return state;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new SourceFailure('not_published', `There is no file ${path} yet.`);
    throw new SourceFailure('unreachable', `${path} cannot be read: ${code}.`, { cause: error });
  }
  throw new SourceFailure('unreachable', `${path} is not a file.`);
}
