import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { BackupError } from './backup-error.ts';

export function isArchive(file: string): boolean {
  return file.endsWith('.tar');
}

/** Packs the files of a folder. The archive gets its final name once it is complete and on the disk. */
export async function packArchive(folder: string, archive: string): Promise<void> {
  const unfinished = `${archive}.unfinished.tar`;
  const tar = pack();
  const written = pipeline(tar, createWriteStream(unfinished, { mode: 0o600, flush: true }));
  try {
    for (const name of await filesOf(folder)) {
      const { size } = await stat(path.join(folder, name));
      await pipeline(createReadStream(path.join(folder, name)), tar.entry({ name, size, mode: 0o600 }));
    }
    tar.finalize();
    await written;
    await rename(unfinished, archive);
  } catch (error) {
    tar.destroy();
    await written.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** @throws BackupError for an entry that would be written outside the folder */
export async function unpackArchive(archive: string, folder: string): Promise<void> {
  const tar = extract();
  const reading = pipeline(createReadStream(archive), tar);
  // A read failure also ends the loop below, which reports it.
  reading.catch(() => {});
  for await (const entry of tar) {
    const { name, type } = entry.header;
    const file = path.resolve(folder, name);
    if (type !== 'file' || !file.startsWith(`${folder}${path.sep}`)) {
      throw new BackupError(`This archive is not a backup: it contains ${name}.`);
    }
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(entry, createWriteStream(file, { mode: 0o600 }));
  }
  await reading;
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}
