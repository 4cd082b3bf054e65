import { spawnSync } from 'node:child_process';

/** The user `nobody` on every Linux. */
const NOBODY = 65_534;

/** How to start a server that refuses to run as root, and which user must own its files. */
export interface OrdinaryUser {
  runAs: string[];
  /** User and group id of the files. Undefined leaves them to the user of this process. */
  owner: number | undefined;
}

/**
 * As root, uses a user namespace in which root's files belong to an ordinary user, so that no user must be created. Where
 * containers forbid namespaces, uses `nobody` with the one capability that lets it enter root's directories.
 */
export function asOrdinaryUser(allowNamespace = true): OrdinaryUser {
  if (process.getuid?.() !== 0) return { runAs: [], owner: undefined };
  const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'];
  if (allowNamespace && runs([...namespace, 'true'])) return { runAs: namespace, owner: 0 };
  const dropped = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--'];
  const withCapability = [...dropped, ...capability];
  return { runAs: runs([...withCapability, 'true']) ? withCapability : [...dropped, '--'], owner: NOBODY };
}

function runs([program, ...args]: string[]): boolean {
  return spawnSync(program!, args, { stdio: 'ignore', timeout: 5_000 }).status === 0;
}
