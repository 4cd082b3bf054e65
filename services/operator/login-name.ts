import { userInfo } from 'node:os';

/** Who runs the command. Containers often run as a number that has no name. */
export function loginName(user: () => { username: string } = userInfo): string {
  try {
    return user().username;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
    return `uid:${process.getuid?.()}`;
  }
}
