import { createHash } from 'node:crypto';

/** A part of an upload: the header comes first, the hash last. */
export type UploadPart<Header> =
  | { $case: 'header'; value: Header }
  | { $case: 'chunk'; value: Buffer }
  | { $case: 'end_sha256'; value: string };

export const CHUNK_BYTES = 256 * 1024;

/** An upload as the importer takes it: the header, the bytes, and their hash, which shows that it received everything. */
export async function* uploadMessages<Header>(
  header: Header,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<{ part: UploadPart<Header> }> {
  yield { part: { $case: 'header', value: header } };
  const hash = createHash('sha256');
  for await (const value of chunks(bytes)) {
    hash.update(value);
    yield { part: { $case: 'chunk', value } };
  }
  yield { part: { $case: 'end_sha256', value: hash.digest('hex') } };
}

/** The same bytes in chunks of equal size, except the last one. */
async function* chunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    gathered.push(piece);
    length += piece.length;
    if (length < CHUNK_BYTES) continue;
    const whole = Buffer.concat(gathered);
    const end = length - (length % CHUNK_BYTES);
    for (let at = 0; at < end; at += CHUNK_BYTES) yield whole.subarray(at, at + CHUNK_BYTES);
    gathered = [whole.subarray(end)];
    length -= end;
  }
  if (length > 0) yield Buffer.concat(gathered);
}
