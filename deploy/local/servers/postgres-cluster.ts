import { execFile, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { OrdinaryUser } from './ordinary-user.ts';
import type { PostgresPrograms } from './postgres-programs.ts';
import { StartError } from '../configuration/start-error.ts';
import { syncDirectory } from '../state/write-private-file.ts';

const DEADLINE_MS = 60_000;

/** Creates a new cluster beside its final place and moves it there, so that an interrupted one is never taken for complete. */
export async function initialiseCluster(
  dataDir: string,
  programs: PostgresPrograms,
  user: OrdinaryUser,
  superuser: { user: string; password: string },
): Promise<void> {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  const passwordFile = `${dataDir}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700, recursive: true });
  writeFileSync(passwordFile, `${superuser.password}\n`, { mode: 0o600 });
  if (user.owner !== undefined)
    for (const file of [unfinished, passwordFile]) chownSync(file, user.owner, user.owner);
  const [command, ...args] = [
    ...user.runAs,
    ...[programs.initdb, '-D', unfinished, '--username', superuser.user, '--pwfile', passwordFile],
    // The built-in provider sorts the same way everywhere and needs no locale from the system.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth=scram-sha-256'],
  ];
  try {
    await promisify(execFile)(command!, args, { env: programs.env, timeout: DEADLINE_MS });
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr ?? '').trim() || (error as Error).message;
    throw new StartError(`PostgreSQL cannot create its data in ${path.dirname(dataDir)}: ${reason}`, {
      cause: error,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, dataDir);
  // Without this, the old name could return after a power cut. The cluster would count as unfinished and its commits be lost.
  syncDirectory(path.dirname(dataDir));
}

/** Changes the owner of the files if the same state was used before with another kind of ordinary user. */
export function ownFiles(dataDir: string, { owner }: OrdinaryUser): void {
  if (owner === undefined || statSync(dataDir).uid === owner) return;
  const { status, stderr } = spawnSync('chown', ['-R', `${owner}:${owner}`, dataDir], { encoding: 'utf8' });
  if (status !== 0) throw new StartError(`PostgreSQL cannot own its data in ${dataDir}: ${stderr.trim()}`);
}
