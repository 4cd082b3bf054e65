import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { ColumnArray } from '#quant/panel/panel-columns.ts';
import { columnType, mapColumns } from './shared-memory.ts';

/**
 * A file is MAGIC, then as little-endian 32-bit numbers the CRC-32 of everything after it and the length of the head, then the
 * head, padding, and the columns, each padded to ALIGNED bytes. The head is the value as JSON with a place for each column.
 */
const MAGIC = 'saring-1';
const PREFIX_BYTES = 16;
const ALIGNED = 8;

/** Several versions of a market of 900 stocks over five years, each about 160 MB, with its months of broker rows. */
const MAX_BYTES = 1024 ** 3;
/** A disk that is nearly full is left to those who cannot do without it. */
const MIN_FREE_SHARE = 0.1;
/** A file that has not become whole after this long never will: its process is gone. */
const ABANDONED_MS = 10 * 60_000;

interface Place {
  column: string;
  at: number;
  length: number;
}

/**
 * Keeps plain data with large columns in files, so that a process that starts need not compute it again. A file is checked
 * before use, and no failure to read or write one matters to the caller: what is not found is computed.
 */
export class FileCache {
  readonly #folder: string;
  readonly #report: (problem: string) => void;
  readonly #maxBytes: number;

  constructor(folder: string, report: (problem: string) => void, maxBytes = MAX_BYTES) {
    this.#folder = folder;
    this.#report = report;
    this.#maxBytes = maxBytes;
  }

  /** What was kept under this name, its columns in shared memory. A damaged file counts as absent and is removed. */
  async find(name: string): Promise<unknown> {
    const file = this.#pathOf(name);
    try {
      const bytes = await readShared(file);
      if (!bytes) return undefined;
      const now = new Date();
      await utimes(file, now, now);
      return valueIn(bytes);
    } catch (error) {
      this.#report(`a cached file cannot be used: ${(error as Error).message}`);
      await rm(file, { force: true }).catch(() => {});
      return undefined;
    }
  }

  /** Keeps a value that nobody changes meanwhile, and drops the least recently used ones beyond the size limit. */
  async keep(name: string, value: unknown): Promise<void> {
    const unfinished = `${this.#pathOf(name)}.${randomUUID()}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const { parts, bytes } = partsOf(value);
      if (bytes > this.#maxBytes || !(await this.#hasRoomFor(bytes))) return;
      const file = await open(unfinished, 'wx', 0o600);
      try {
        for (const part of parts) await file.writeFile(part);
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#pathOf(name));
      await this.#dropOldest();
    } catch (error) {
      this.#report(`nothing can be cached: ${(error as Error).message}`);
      await rm(unfinished, { force: true }).catch(() => {});
    }
  }

  /** Drops what nobody has used since. */
  async dropUnusedSince(moment: Date): Promise<void> {
    try {
      for (const { file, mtimeMs } of await this.#list())
        if (mtimeMs < moment.getTime()) await rm(file, { force: true });
    } catch (error) {
      this.#report(`unused files cannot be removed: ${(error as Error).message}`);
    }
  }

  /** Hashed, because names are long and may hold any character. */
  #pathOf(name: string): string {
    return path.join(this.#folder, createHash('sha256').update(name).digest('hex'));
  }

  async #hasRoomFor(bytes: number): Promise<boolean> {
    const { bavail, bsize, blocks } = await statfs(this.#folder);
    return bavail * bsize - bytes >= MIN_FREE_SHARE * blocks * bsize;
  }

  /** Undefined for a file that another thread or process has renamed or removed meanwhile. */
  async #sizeOf(name: string): Promise<{ file: string; size: number; mtimeMs: number } | undefined> {
    const file = path.join(this.#folder, name);
    try {
      const { size, mtimeMs } = await stat(file);
      return { file, size, mtimeMs };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #list() {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const found = await Promise.all(names.map((name) => this.#sizeOf(name)));
    return found.filter((file) => file !== undefined);
  }

  async #dropOldest(): Promise<void> {
    const files = await this.#list();
    let left = files.reduce((sum, { size }) => sum + size, 0);
    for (const { file, size, mtimeMs } of files.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      const isAbandoned = file.endsWith('.tmp') && Date.now() - mtimeMs > ABANDONED_MS;
      if (left <= this.#maxBytes && !isAbandoned) continue;
      await rm(file, { force: true });
      left -= size;
    }
  }
}

async function readShared(file: string): Promise<Buffer<SharedArrayBuffer> | undefined> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const bytes = Buffer.from(new SharedArrayBuffer((await handle.stat()).size));
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, done);
      if (bytesRead === 0) throw new RangeError('it is shorter than it was');
      done += bytesRead;
    }
    return bytes;
  } finally {
    await handle.close();
  }
}

function valueIn(bytes: Buffer<SharedArrayBuffer>): unknown {
  const isWhole =
    bytes.length >= PREFIX_BYTES &&
    bytes.toString('latin1', 0, MAGIC.length) === MAGIC &&
    bytes.readUInt32LE(MAGIC.length) === crc32(bytes.subarray(MAGIC.length + 4));
  if (!isWhole) throw new RangeError('it is damaged');
  const headBytes = bytes.readUInt32LE(MAGIC.length + 4);
  const start = padded(PREFIX_BYTES + headBytes);
  const head = bytes.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headBytes);
  return JSON.parse(head, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('column' in value)) return value;
    const { column, at, length } = value as Place;
    return new (columnType(column))(bytes.buffer, start + at, length);
  });
}

function partsOf(value: unknown): { parts: Uint8Array[]; bytes: number } {
  const columns: Uint8Array[] = [];
  let end = 0;
  const place = (column: ColumnArray): Place => {
    const at = end;
    const padding = new Uint8Array(padded(column.byteLength) - column.byteLength);
    columns.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), padding);
    end += padded(column.byteLength);
    return { column: column.constructor.name, at, length: column.length };
  };
  const head = Buffer.from(JSON.stringify(mapColumns(value, place)));
  const body = [length(head.length), head, new Uint8Array(padded(head.length) - head.length), ...columns];
  const sum = body.reduce((crc, part) => crc32(part, crc), 0);
  return {
    parts: [Buffer.from(MAGIC, 'latin1'), length(sum), ...body],
    bytes: PREFIX_BYTES + padded(head.length) + end,
  };
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** PREFIX_BYTES is a multiple of ALIGNED, so that what is aligned in the body is aligned in the file. */
function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGNED) * ALIGNED;
}
