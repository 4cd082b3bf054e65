import { ServiceError } from '#shared/service-error.ts';
import type { OwnershipLimits } from './caller.ts';

/** Why nothing could be inserted. */
export type TooMany = 'too many of end user' | 'too many of key';

/** The error that names the limit. */
export function limitReached(
  what: 'screens' | 'watchlists',
  tooMany: TooMany,
  { perEndUser, perKey }: OwnershipLimits,
): ServiceError {
  const limit =
    tooMany === 'too many of end user'
      ? `An end user can own at most ${perEndUser} ${what}, and this one does.`
      : `The end users of a key can own at most ${perKey} ${what} together, and those of this key do.`;
  return new ServiceError('invalid_request', `${limit} Delete one first.`);
}
