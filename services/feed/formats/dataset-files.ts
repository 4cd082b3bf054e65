import { createHash } from 'node:crypto';
import { extract } from 'tar-stream';
import type { DataFile } from '../deliveries/delivery.ts';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';
import type { Format, Reading } from './format.ts';

const TAR_MAGIC_AT = 257;
const TAR_MAGIC = 'ustar';

/** Files that the importer reads as they are: one, or a tar of several. */
export class DatasetFiles implements Format {
  async read(received: Received, day: string | undefined): Promise<Reading> {
    const { name, bytes } = received;
    const files = isTar(bytes) ? await filesIn(name, bytes) : [{ path: name, bytes }];
    if (files.length === 0) throw new SourceFailure('not_published', `${name} contains no files.`);
    const folder = day === undefined ? '' : `${day}/`;
    return {
      rows: files.reduce((sum, file) => sum + linesOf(file), 0),
      findings: [],
      // Rows contain their days, so even equal bytes can only be a repetition.
      digest: createHash('sha256').update(bytes).digest('hex'),
      files: files.map(({ path, bytes: content }) => ({ path: `${folder}${path}`, bytes: content })),
    };
  }
}

function isTar(bytes: Buffer): boolean {
  return bytes.toString('latin1', TAR_MAGIC_AT, TAR_MAGIC_AT + TAR_MAGIC.length) === TAR_MAGIC;
}

async function filesIn(name: string, bytes: Buffer): Promise<DataFile[]> {
  const archive = extract();
  const files: DataFile[] = [];
  archive.end(bytes);
  try {
    for await (const entry of archive) {
      const pieces: Buffer[] = [];
      for await (const piece of entry) pieces.push(piece as Buffer);
      if (entry.header.type === 'file') files.push({ path: entry.header.name, bytes: Buffer.concat(pieces) });
    }
  } catch (error) {
    throw new SourceFailure(
      'truncated',
      `${name} is damaged or ends too early: ${(error as Error).message}.`,
      {
        cause: error,
      },
    );
  }
  return files;
}

/** Line ends, without that of a header. A gzipped file counts as no rows. */
function linesOf({ path, bytes }: DataFile): number {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 0;
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return Math.max(lines - (/\.csv$/i.test(path) ? 1 : 0), 0);
}
