import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';

const LINE_FEED = 10;

export interface PartContent {
  rows: number;
  /** Size of the compressed file. */
  bytes: number;
  /** Hash of the compressed file, in hex. */
  sha256: string;
}

/** Compresses lines into a file that only its owner can read. The file is on the disk when this returns. */
export async function writePart(file: string, lines: Readable): Promise<PartContent> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  let rows = 0;
  let bytes = 0;
  const hash = createHash('sha256');
  await pipeline(
    lines,
    seeing((chunk) => (rows += linesOf(chunk))),
    createZstdCompress(),
    seeing((chunk) => {
      bytes += chunk.length;
      hash.update(chunk);
    }),
    createWriteStream(file, { mode: 0o600, flush: true }),
  );
  return { rows, bytes, sha256: hash.digest('hex') };
}

/** The lines of a part. */
export function readPart(file: string): Readable {
  const lines = createZstdDecompress();
  // If the file cannot be read, the returned stream fails too.
  pipeline(createReadStream(file), lines).catch((error: Error) => lines.destroy(error));
  return lines;
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  const opened = await open(file);
  try {
    for await (const chunk of opened.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
  } finally {
    await opened.close();
  }
  return hash.digest('hex');
}

function seeing(check: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      check(chunk);
      done(null, chunk);
    },
  });
}

function linesOf(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
