import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { KeyCache } from '../auth/key-cache.ts';

export const unavailable = new ServiceError('data_unavailable', 'unavailable');
export const unknown = new ServiceError('invalid_api_key', 'unknown');

/** A key whose name is the number of the look-up that it answers. */
export const keyNo = (question: number, id = 'key_1') => ({ id, name: String(question) }) as ApiKey;

/** A cache over a keys service that answers when the test says so. */
export function controlled() {
  let now = 0;
  const requested: {
    secret: string;
    atMs: number;
    answer: (key: ApiKey) => void;
    refuse: (error: Error) => void;
  }[] = [];
  const keys = new KeyCache({
    nowMs: () => now,
    lookUp: (secret) =>
      new Promise((response, refuse) => requested.push({ secret, atMs: now, answer: response, refuse })),
  });
  return { keys, asked: requested, advance: (ms: number) => (now += ms), now: () => now };
}
