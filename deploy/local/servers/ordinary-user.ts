import { spawnSync } from 'node:child_process';

/** `nobody` on every Linux. */
const NOBODY = 65_534;

/** How a server that refuses to run as root is started, and who must own its files. */
export interface OrdinaryUser {
  runAs: string[];
  /** User and group id of the files; undefined leaves them to whoever runs this process. */
  owner: number | undefined;
}

/**
 * As root: a user namespace in which root's files belong to an ordinary user, so that none must be created. Where
 * containers forbid namespaces: `nobody`, who keeps the one capability that lets it enter root's directories.
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
