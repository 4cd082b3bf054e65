import { type Duplex, type Writable, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';

/** A file of an upload. Read or abandon its bytes before requesting the next file. */
export interface ArchivedFile {
  path: string;
  bytes: AsyncIterable<Buffer>;
  /** Whether the upload consists of this file only. */
  isAlone?: boolean;
}

/** Large, because each piece costs one turn of the event loop and one row sent to ClickHouse. */
const PIECE_BYTES = 256 * 1024;
/**
 * Several times the size of all bars that the exchange has ever published plus broker rows of five years. A larger
 * upload is a mistake or a malicious archive.
 */
const MAX_UNPACKED_BYTES = 8 * 1024 ** 3;
const TAR_MAGIC_AT = 257;
const HEAD_BYTES = TAR_MAGIC_AT + 5;

/**
 * The files of an upload: a single text file or a tar, gzipped or not, distinguished by their first bytes. `source` is
 * the name of a single file. Files in a tar may be gzipped too; their names lose the `.gz`.
 * @throws ServiceError import_rejected when the gzip or tar data is damaged or truncated
 */
export async function* filesOf(
  upload: AsyncIterable<Buffer>,
  source: string,
): AsyncGenerator<ArchivedFile, void, undefined> {
  const packed = await beginning(upload);
  if (packed.head.length === 0) throw rejected('The upload is empty.');
  const plain = isGzip(packed.head) ? await beginning(gunzipped(packed.bytes)) : packed;
  const limit = new UnpackLimit();
  const bytes = limit.of(plain.bytes);
  if (isTar(plain.head)) yield* tarFiles(bytes, limit);
  else if (plain.head.includes(0)) throw rejected(NEITHER);
  else yield { path: source.replace(GZ, ''), bytes, isAlone: true };
}

const GZ = /\.gz$/i;
const NEITHER = 'The upload is neither CSV nor JSON text, nor a tar archive of them, gzipped or not.';

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

function isTar(head: Buffer): boolean {
  return head.toString('latin1', TAR_MAGIC_AT, HEAD_BYTES) === 'ustar';
}

/** Returns the first bytes for inspection, and all bytes including the first ones. */
export async function beginning(bytes: AsyncIterable<Buffer>, headBytes = HEAD_BYTES) {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < headBytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer, void, undefined> {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, bytes: all() };
}

async function* gunzipped(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const flow = flowInto(bytes, gunzip);
  try {
    for await (const piece of gunzip) yield piece as Buffer;
    await flow;
  } catch (error) {
    throw damaged('gzip', error);
  }
}

async function* tarFiles(
  bytes: AsyncIterable<Buffer>,
  limit: UnpackLimit,
): AsyncGenerator<ArchivedFile, void, undefined> {
  const tar = extract();
  const flow = flowInto(bytes, tar as unknown as Writable);
  try {
    for await (const entry of tar) {
      const path = entry.header.name;
      const content = entry as AsyncIterable<Buffer>;
      if (entry.header.type === 'file') {
        yield GZ.test(path)
          ? { path: path.replace(GZ, ''), bytes: limit.of(gunzipped(content)) }
          : { path, bytes: content };
      }
      entry.resume();
    }
    await flow;
  } catch (error) {
    throw damaged('tar', error);
  }
}

function flowInto(bytes: AsyncIterable<Buffer>, into: Writable | Duplex): Promise<void> {
  const flow = pipeline(Readable.from(bytes, { highWaterMark: 2 }), into);
  // The consumer of `into` gets the same error.
  flow.catch(() => {});
  return flow;
}

/** Limits the total unpacked size of an upload, however it is packed. */
class UnpackLimit {
  #bytes = 0;

  async *of(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of bytes) {
      this.#bytes += piece.length;
      if (this.#bytes > MAX_UNPACKED_BYTES) {
        throw rejected(`The upload unpacks to more than ${MAX_UNPACKED_BYTES / 1024 ** 3} GiB.`);
      }
      yield piece;
    }
  }
}

function damaged(format: 'gzip' | 'tar', error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = (error as Error).message;
  return new ServiceError('import_rejected', `The ${format} data is damaged or ends too early: ${message}.`, {
    cause: error,
  });
}
