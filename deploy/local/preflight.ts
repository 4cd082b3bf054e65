import { existsSync, statfsSync } from 'node:fs';
import { bindError } from './state/ports.ts';
import type { LocalSettings } from './configuration/settings.ts';
import { StartError } from './configuration/start-error.ts';

const NEEDED_FREE_BYTES = 1024 ** 3;
/** The loader of glibc, which the embedded servers are linked against. */
const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2';

interface Platform {
  platform: string;
  arch: string;
  hasGlibc: boolean;
}

const THIS_PLATFORM: Platform = {
  platform: process.platform,
  arch: process.arch,
  hasGlibc: existsSync(GLIBC_LOADER),
};

/** @throws StartError when an embedded server is needed that cannot run on this platform */
export function checkPlatform(
  settings: LocalSettings,
  { platform, arch, hasGlibc }: Platform = THIS_PLATFORM,
): void {
  const urls = {
    DATABASE_URL: settings.databaseUrl,
    NATS_URL: settings.natsUrl,
    CLICKHOUSE_URL: settings.clickhouse?.url,
  };
  const missing = Object.entries(urls).flatMap(([name, url]) => (url === undefined ? [name] : []));
  if (missing.length === 0 || (platform === 'linux' && arch === 'x64' && hasGlibc)) return;
  const here = `${platform}-${arch}${platform === 'linux' && !hasGlibc ? ' without glibc' : ''}`;
  throw new StartError(
    `The embedded servers run only on linux-x64 with glibc, and this is ${here}. Set ${missing.join(', ')} to your own servers.`,
  );
}

/** @throws StartError when the disk of the state directory has less than 1 GiB free */
export function checkDiskSpace(directory: string, neededBytes = NEEDED_FREE_BYTES): void {
  const { bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  const freeMib = Math.floor(freeBytes / 1024 ** 2);
  throw new StartError(
    `Only ${freeMib} MiB of disk space are free at ${directory}, and 1 GiB is needed. Free some space, or set STATE_DIR to a folder on another disk.`,
  );
}

/** @throws StartError when the REST API could not listen on the port */
export async function checkPort(port: number): Promise<void> {
  const error = await bindError(port);
  if (error === undefined) return;
  const why = error === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error})`;
  throw new StartError(`Port ${port} ${why}. Choose another one, for example PORT=8090 make run.`);
}

/** @throws StartError when the dataset does not exist */
export function checkDataset(dataset: string | undefined): void {
  if (dataset !== undefined && !existsSync(dataset)) {
    throw new StartError(`DATASET names ${dataset}, which does not exist.`);
  }
}
