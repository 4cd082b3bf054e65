import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import type { ImportDatasetRequest } from '#proto/saring/market_data/v1/datasets.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file, or of a tar made of a folder on the fly. */
export async function bytesOf(source: string): Promise<AsyncIterable<Buffer>> {
  const found = await stat(source).catch(() => {
    throw new CommandFailure(EXIT.usage, `There is no file or folder ${source}`);
  });
  return found.isDirectory() ? packFolder(source) : createReadStream(source, { highWaterMark: CHUNK_BYTES });
}

/** SHA-256 of all bytes in hex. */
export async function fingerprintOf(source: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of await bytesOf(source)) hash.update(bytes);
  return hash.digest('hex');
}

/** The upload: header, chunks, and last the hash that tells the service it has them all. */
export async function* uploadOf(source: string, kind: string): AsyncGenerator<ImportDatasetRequest> {
  yield { part: { $case: 'header', value: { source: path.basename(path.resolve(source)), kind } } };
  const hash = createHash('sha256');
  for await (const bytes of await bytesOf(source)) {
    hash.update(bytes);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield { part: { $case: 'chunk', value: bytes.subarray(at, at + CHUNK_BYTES) } };
    }
  }
  yield { part: { $case: 'end_sha256', value: hash.digest('hex') } };
}

/** Files in the order of their names and without their times, so that the same folder gives the same bytes. */
function packFolder(folder: string): AsyncIterable<Buffer> {
  const archive = pack();
  void (async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    for (const file of files.toSorted()) {
      const { size } = await stat(file);
      const header = { name: path.relative(folder, file), size, mtime: new Date(0) };
      await pipeline(createReadStream(file), archive.entry(header));
    }
    archive.finalize();
  })().catch((error: unknown) => archive.destroy(error as Error));
  return archive as AsyncIterable<Buffer>;
}
