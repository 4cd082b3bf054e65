import { statfs } from 'node:fs/promises';

/** Enough for the next write-ahead file of PostgreSQL or NATS. */
const ENOUGH_BYTES = 32 * 1024 * 1024;

/** Why the directory cannot take more data, in words; undefined while its disk has space. */
export async function whyNoRoom(directory: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < ENOUGH_BYTES
    ? `the disk of ${directory} is full. Free some space on it`
    : undefined;
}
