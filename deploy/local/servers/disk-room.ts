import { statfs } from 'node:fs/promises';

/** Enough for the next file of a log that PostgreSQL or NATS writes ahead. */
const ENOUGH_BYTES = 32 * 1024 * 1024;

/** Why nothing can be stored in the directory, for people; undefined while its disk has room. */
export async function whyNoRoom(directory: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < ENOUGH_BYTES ? `the disk of ${directory} is full, make room on it` : undefined;
}
