import { findOnPath } from './find-on-path.ts';

/** The signal that the kernel sends to a child when its parent ends, for whatever reason. */
export type ParentDeathSignal = 'INT' | 'TERM' | 'KILL';

/**
 * A command prefix that makes the command end with its parent. Empty without `setpriv`: then only children with an IPC channel
 * notice.
 */
export function dyingWithParent(signal: ParentDeathSignal): string[] {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv') : undefined;
  return setpriv ? [setpriv, `--pdeathsig=${signal}`, '--'] : [];
}
