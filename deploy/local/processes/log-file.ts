import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** A log and the older file beside it take at most twice this. */
const LOG_CEILING_BYTES = 10 * 1024 * 1024;
/**
 * Limit of lines that wait for the disk. Further lines are dropped and counted, because the writing process must never wait.
 */
const PENDING_CEILING_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024;
const TAIL_BYTES = 16 * 1024;
const RETRY_MS = 1_000;
const NEWLINE = 10;

export interface LogFileOptions {
  ceilingBytes?: number;
  pendingCeilingBytes?: number;
  retryMs?: number;
}

/** The output of one run of a process. */
export interface Output {
  /** Its last non-empty lines. Kept in memory, so that they are available even when the disk is full. */
  lastLines: (count: number) => string[];
  /** Resolves when every process that could write has closed the stream. */
  ended: Promise<unknown>;
}

/**
 * The log of a process across its restarts. Output is read immediately and written when the disk accepts it, so that a full or
 * slow disk never blocks the process.
 */
export class LogFile {
  readonly path: string;
  readonly #options: Required<LogFileOptions>;
  #file: FileHandle | undefined;
  #bytes = 0;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #droppedLines = 0;
  #writing: Promise<void> | undefined;
  /** Runs of the process, or children they left behind, that may still write. */
  #followed = 0;

  constructor(file: string, options: LogFileOptions = {}) {
    this.path = file;
    this.#options = {
      ceilingBytes: LOG_CEILING_BYTES,
      pendingCeilingBytes: PENDING_CEILING_BYTES,
      retryMs: RETRY_MS,
      ...options,
    };
  }

  /** Reads the streams until they end. Lines of different streams are never mixed. */
  follow(streams: Readable[]): Output {
    let tail: Buffer = Buffer.alloc(0);
    const take = (lines: Buffer) => {
      tail = Buffer.concat([tail, lines.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
      this.#append(lines);
    };
    this.#followed++;
    const ended = Promise.all(streams.map((stream) => followLines(stream, take)));
    void ended.then(() => this.#leave());
    return {
      lastLines: (count) =>
        tail
          .toString('utf8')
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(-count),
      ended,
    };
  }

  /** Resolves when everything read so far has been written, or after `withinMs`, because a full disk may never accept it. */
  async flush(withinMs: number): Promise<void> {
    await Promise.race([this.#writing, sleep(withinMs, undefined, { ref: false })]);
  }

  #append(lines: Buffer): void {
    if (this.#pendingBytes + lines.length > this.#options.pendingCeilingBytes) {
      this.#droppedLines += countLines(lines);
      return;
    }
    this.#pending.push(lines);
    this.#pendingBytes += lines.length;
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = Buffer.concat(this.#pending);
      this.#pending = [];
      await this.#writePatiently(batch);
      this.#pendingBytes -= batch.length;
      if (this.#droppedLines > 0 && this.#pending.length === 0) this.#noticeDropped();
    }
    this.#writing = undefined;
  }

  async #writePatiently(batch: Buffer): Promise<void> {
    for (let left = batch; left.length > 0;) {
      try {
        left = left.subarray(await this.#write(left));
      } catch {
        // Most likely ENOSPC. New lines are kept up to a limit, then counted.
        await sleep(this.#options.retryMs, undefined, { ref: false });
      }
    }
  }

  /** Returns how many bytes were written. The disk may accept only a part. */
  async #write(bytes: Buffer): Promise<number> {
    const isFull = this.#bytes > 0 && this.#bytes + bytes.length > this.#options.ceilingBytes;
    if (this.#file && isFull) await this.#rotate(this.#file);
    const file = (this.#file ??= await this.#open());
    const { bytesWritten } = await file.write(bytes);
    this.#bytes += bytesWritten;
    return bytesWritten;
  }

  async #open(): Promise<FileHandle> {
    await mkdir(path.dirname(this.path), { recursive: true });
    const file = await open(this.path, 'a', 0o600);
    const { size } = await file.stat();
    this.#bytes = size;
    if (size < this.#options.ceilingBytes) return file;
    await this.#rotate(file);
    return this.#open();
  }

  async #leave(): Promise<void> {
    this.#followed--;
    await this.#writing;
    if (this.#followed > 0) return;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #rotate(file: FileHandle): Promise<void> {
    this.#file = undefined;
    this.#bytes = 0;
    await file.close();
    await rename(this.path, `${this.path}.1`);
  }

  #noticeDropped(): void {
    const lines = this.#droppedLines;
    this.#droppedLines = 0;
    const notice = { level: 'warn', time: new Date().toISOString(), service: 'supervisor', lines };
    this.#append(Buffer.from(`${JSON.stringify({ ...notice, msg: 'log lines dropped' })}\n`));
  }
}

/** Passes on whole lines, many at a time, and the rest when the stream ends. */
function followLines(stream: Readable, take: (lines: Buffer) => void): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = all.length > MAX_LINE_BYTES ? all.length : all.lastIndexOf(NEWLINE) + 1;
    if (end > 0) take(all.subarray(0, end));
    rest = all.subarray(end);
  });
  // The reading end of a pipe only fails together with its process, whose end is reported elsewhere.
  stream.on('error', () => {});
  return new Promise((resolve) => {
    stream.once('close', () => {
      if (rest.length > 0) take(Buffer.concat([rest, Buffer.of(NEWLINE)]));
      resolve();
    });
  });
}

function countLines(lines: Buffer): number {
  let count = 0;
  for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
