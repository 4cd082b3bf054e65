import { sendRaw, type RawAnswer } from '#support/fleets/raw-http.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

export type { RawAnswer };

/** Sends a request with a key that has every scope, through a client that does not decode, negotiate or revalidate. */
export function rawAnswer(
  { baseUrl }: GatewayUnderTest,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<RawAnswer> {
  return sendRaw(baseUrl, { method, path, headers: { 'x-api-key': 'all-scopes', ...headers }, body });
}
