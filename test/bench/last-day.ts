import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filesOf } from '#services/market-data/import/files/archive.ts';
import { Upload } from '#services/operator/upload.ts';

/** Writes, of every ticker of a dataset, a file with the rows of that one day, as an operator has them in the evening. */
export async function writeDayOf(dataset: string, day: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for await (const { path: file, bytes } of filesOf(await bytesOf(dataset), path.basename(dataset))) {
    const [head = '', ...lines] = (await text(bytes)).split('\n');
    const ofDay = lines.filter((line) => line.startsWith(day));
    if (ofDay.length > 0)
      await writeFile(path.join(folder, path.basename(file)), [head, ...ofDay, ''].join('\n'));
  }
}

/** What the operator's command line would send. */
async function bytesOf(dataset: string): Promise<AsyncIterable<Buffer>> {
  const upload = await Upload.of(dataset);
  const request = {
    kind: 'real',
    adds: false,
    may_shrink: false,
    synthesize_brokers: false,
    broker_unit: '',
    broker_mode: '',
  };
  return (async function* () {
    for await (const { part } of upload.messages({ ...request, sha256: undefined })) {
      if (part?.$case === 'chunk') yield part.value;
    }
  })();
}

async function text(bytes: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
