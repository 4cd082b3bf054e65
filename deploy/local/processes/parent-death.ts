import { findOnPath } from './find-on-path.ts';

/** What the kernel sends to a child when its parent dies, however it dies. */
export type ParentDeathSignal = 'INT' | 'TERM' | 'KILL';

/**
 * Put before a command, lets it end with its parent. Empty where there is no `setpriv`: then only children with an
 * IPC channel notice.
 */
export function dyingWithParent(signal: ParentDeathSignal): string[] {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv') : undefined;
  return setpriv ? [setpriv, `--pdeathsig=${signal}`, '--'] : [];
}
