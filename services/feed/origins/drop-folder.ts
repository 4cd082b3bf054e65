import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from './origin.ts';
import { tooLarge } from './unpacked.ts';

/** A file must have been the same for this long, so that two looks at short intervals do not mistake a slow copy for a whole one. */
export const UNCHANGED_FOR_MS = 2_000;
/** Names that programs give to files that they have not finished. */
const UNFINISHED = /^\.|\.(part|tmp|crdownload|download|filepart)$|~$/i;

/** A file as it was at a look. */
interface Seen {
  size: number;
  mtimeMs: number;
  /** When it was first seen like this. */
  since: number;
  /** SHA-256 of the content, once it was read. */
  digest?: string | undefined;
}

/** A folder that files are dropped into. They stay where they are. */
export class DropFolder {
  readonly path: string;
  readonly #maxBytes: number;
  #seen = new Map<string, Seen>();

  constructor(path: string, maxBytes: number) {
    this.path = path;
    this.#maxBytes = maxBytes;
  }

  /** The names of files that have not changed since an earlier look, the longest unchanged first. */
  async settled(now: Date): Promise<string[]> {
    const seen = new Map<string, Seen>();
    for (const name of await this.#names()) {
      const state = await stat(join(this.path, name)).catch(() => undefined);
      if (!state?.isFile() || state.size === 0) continue;
      const known = this.#seen.get(name);
      const isSame = known?.size === state.size && known.mtimeMs === state.mtimeMs;
      seen.set(name, isSame ? known : { size: state.size, mtimeMs: state.mtimeMs, since: now.getTime() });
    }
    this.#seen = seen;
    return inOrder([...seen].filter(([, { since }]) => now.getTime() - since >= UNCHANGED_FOR_MS));
  }

  /** When a file was first seen as it was at the last look. */
  sameSince(name: string): Date | undefined {
    const seen = this.#seen.get(name);
    return seen && new Date(seen.since);
  }

  /** The name of the file that was changed last, settled or not; undefined in an empty folder. */
  async newest(): Promise<string | undefined> {
    await this.settled(new Date(0));
    return inOrder([...this.#seen]).at(-1);
  }

  /** SHA-256 of the content of a settled file, read once; undefined for one that is gone or too large to be read. */
  async digest(name: string): Promise<string | undefined> {
    const seen = this.#seen.get(name);
    if (!seen || seen.size > this.#maxBytes) return undefined;
    seen.digest ??= await readFile(join(this.path, name)).then(sha256, () => undefined);
    return seen.digest;
  }

  /** @throws SourceFailure */
  async get(name: string, signal: AbortSignal): Promise<Received & { digest: string }> {
    if (basename(name) !== name || UNFINISHED.test(name)) throw missing(this.path, name);
    const path = join(this.path, name);
    const before = await stat(path).catch(() => undefined);
    if (!before?.isFile()) throw missing(this.path, name);
    if (before.size > this.#maxBytes) throw tooLarge(path, this.#maxBytes);
    const bytes = await readFile(path, { signal });
    const after = await stat(path).catch(() => undefined);
    if (after?.mtimeMs !== before.mtimeMs || after.size !== bytes.length)
      throw new SourceFailure('not_published', `${path} changed while it was read.`);
    return { name, bytes, digest: sha256(bytes) };
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.path)).filter((name) => !UNFINISHED.test(name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new SourceFailure('unreachable', `The folder ${this.path} cannot be read: ${code}.`, {
        cause: error,
      });
    }
  }
}

/** Names of files, the one that was changed last at the end. */
function inOrder(seen: [string, Seen][]): string[] {
  return seen
    .toSorted(([a, { mtimeMs: aTime }], [b, { mtimeMs: bTime }]) => aTime - bTime || (a < b ? -1 : 1))
    .map(([name]) => name);
}

function missing(folder: string, name: string): SourceFailure {
  return new SourceFailure('not_published', `There is no file '${name}' in ${folder}.`);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
